import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AdminDoor } from '#access';
import { InvalidRequest, Unauthorized, sendError } from '#platform/errors';
import { Queues } from '#platform/queue';

const BOARD_PATH = '/queues';

/** Its own scripts, styles and pictures, and calls to this process alone: the fonts that it names elsewhere are not loaded. */
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

/** The page that shows the queues, to be looked at and not touched. Absent without ADMIN_TOKEN. */
export async function addQueueBoard(app: NestFastifyApplication): Promise<void> {
  const door = app.get(AdminDoor);
  if (!door.exists) return;
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
      scope.addHook('onRequest', (request, reply) => guard(door, request, reply));
      await scope.register(serverAdapter.registerPlugin());
    },
    { prefix: BOARD_PATH },
  );
}

async function guard(door: AdminDoor, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  try {
    await door.admit(request, { basic: true });
    void reply.header('cache-control', 'no-store');
    if (request.method !== 'GET') throw new InvalidRequest('The queues can be looked at only');
  } catch (error) {
    // So that a browser asks for it.
    if (error instanceof Unauthorized) void reply.header('www-authenticate', 'Basic realm="Causeway queues"');
    sendError(error, request, reply);
  }
}
