import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AdminTokenGuard } from '#access';
import { InvalidRequest, Unauthorized, sendError } from '#platform/errors';
import { Queues } from '#platform/queue';

const BOARD_PATH = '/queues';

/**
 * Allows the page's own scripts, styles and images, and calls to this process only. Its external fonts are not loaded.
 */
const boardPolicy: FastifyHelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      fontSrc: ["'self'"],
      connectSrc: ["'self'"],
      baseUri: ["'self'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
};

/** Adds the read-only page of the queues. The page does not exist without ADMIN_TOKEN. */
export async function addQueueBoard(app: NestFastifyApplication): Promise<void> {
  const adminTokenGuard = app.get(AdminTokenGuard);
  if (!adminTokenGuard.exists) return;
  const serverAdapter = new FastifyAdapter().setBasePath(BOARD_PATH);
  const queues = app.get(Queues).all();
  createBullBoard({
    queues: queues.map((queue) => new BullMQAdapter(queue, { readOnlyMode: true })),
    serverAdapter,
    options: { uiConfig: { boardTitle: 'Causeway queues' } },
  });
  const fastify = app.getHttpAdapter().getInstance();
  await fastify.register(
    async (scope) => {
      await scope.register(helmet, boardPolicy);
      scope.addHook('onRequest', (request, reply, done) => {
        if (admits(adminTokenGuard, request, reply)) done();
      });
      await scope.register(serverAdapter.registerPlugin());
    },
    { prefix: BOARD_PATH },
  );
}

/** @returns false when the request was refused and its response was sent */
function admits(adminTokenGuard: AdminTokenGuard, request: FastifyRequest, reply: FastifyReply): boolean {
  try {
    adminTokenGuard.admit(request, { basic: true });
    void reply.header('cache-control', 'no-store');
    if (request.method !== 'GET') throw new InvalidRequest('This page is read-only');
    return true;
  } catch (error) {
    // The header makes a browser ask for the password.
    if (error instanceof Unauthorized) void reply.header('www-authenticate', 'Basic realm="Causeway queues"');
    sendError(error, request, reply);
    return false;
  }
}
