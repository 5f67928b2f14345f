import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { Callers } from '#access';
import { configureHttpApp } from '#platform/http';
import { Shutdown } from '#platform/lifecycle';
import { ShownDescription } from './docs/docs.controller.js';
import { buildOpenApi } from './openapi/build-openapi.js';

const DOCS_PATH = 'docs';

/** The content security policy of everything except Swagger UI: a browser may load, run, frame and send nothing. */
const strictPolicy: FastifyHelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], baseUri: ["'none'"], formAction: ["'none'"], frameAncestors: ["'none'"] },
  },
};

/** The policy of Swagger UI: its own scripts, inline styles and icons, and calls to this API only. */
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
  // Closing the port resets connections that wait to be accepted. Node has accepted all of them right before an immediate runs.
  shutdown.whenConnectionsEnd(() => setImmediate(() => server.close()));
}

/** Sets up errors, validation, headers and Swagger UI, before the app listens. */
export async function configureApi(app: NestFastifyApplication): Promise<void> {
  const callers = app.get(Callers, { strict: false });
  configureHttpApp(app, { callerOf: (request) => callers.of(request) });
  const fastify = app.getHttpAdapter().getInstance();
  // This hook must run before helmet's own, which reads `route.helmet`.
  fastify.addHook('onRoute', (route) => {
    if (route.url === `/${DOCS_PATH}` || route.url.startsWith(`/${DOCS_PATH}/`)) route.helmet = docsPolicy;
  });
  closePortFirst(fastify, app.get(Shutdown));
  await app.register(helmet, strictPolicy);
  app.get(ShownDescription).describe = () => buildOpenApi(app);
}
