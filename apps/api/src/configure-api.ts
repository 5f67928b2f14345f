import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { Callers } from '#access';
import { configureHttpApp } from '#platform/http';
import { Shutdown } from '#platform/lifecycle';
import { ShownDescription } from './docs/docs.controller.js';
import { buildOpenApi } from './openapi.js';

const DOCS_PATH = 'docs';

/** For everything but Swagger UI: nothing may be loaded, run, framed or sent anywhere. */
const strictPolicy: FastifyHelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], baseUri: ["'none'"], formAction: ["'none'"], frameAncestors: ["'none'"] },
  },
};

/** Swagger UI: its own scripts, inline styles and icons, and calls to this API alone. */
const docsPolicy: FastifyHelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      fontSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
};

/**
 * Closes the port when the process stops, before it refuses requests: a proxy sends a request to another process when
 * this one accepts no connection, but it must not repeat an order that this process has read.
 */
function closePortFirst({ server }: FastifyInstance, shutdown: Shutdown): void {
  // Node has accepted all waiting connections right before an immediate runs; closing the port resets those that wait.
  shutdown.whenConnectionsEnd(() => setImmediate(() => server.close()));
}

/** Everything between the modules and `listen`: errors, validation, headers, and what Swagger UI at `/docs` shows. */
export async function configureApi(app: NestFastifyApplication): Promise<void> {
  const callers = app.get(Callers, { strict: false });
  configureHttpApp(app, { callerOf: (request) => callers.of(request) });
  const fastify = app.getHttpAdapter().getInstance();
  // Before helmet's own hook, which reads what this one sets.
  fastify.addHook('onRoute', (route) => {
    if (route.url === `/${DOCS_PATH}` || route.url.startsWith(`/${DOCS_PATH}/`)) route.helmet = docsPolicy;
  });
  closePortFirst(fastify, app.get(Shutdown));
  await app.register(helmet, strictPolicy);
  app.get(ShownDescription).describe = () => buildOpenApi(app);
}
