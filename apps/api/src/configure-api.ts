import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { Callers } from '#access';
import { configureHttpApp, securityHeadersWith, setSecurityHeaders } from '#platform/http';
import { Shutdown } from '#platform/lifecycle';
import { ShownDescription } from './docs/docs.controller.js';
import { buildOpenApi } from './openapi/build-openapi.js';

const DOCS_PATH = '/docs';

/** Swagger UI may use its own scripts, inline styles and icons, and call this API only. */
const docsHeaders = securityHeadersWith([
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
]);

/**
 * Closes the port of a stopping process before the process begins to refuse requests. While the port is closed, a proxy
 * sends new requests to another process. Once a process has read and refused an order, the proxy cannot send this order
 * to another process, because a proxy must never repeat an order.
 */
function closePortFirst({ server }: FastifyInstance, shutdown: Shutdown): void {
  // Closing the port resets connections that wait to be accepted. `setImmediate` delays the closing until Node has
  // accepted all waiting connections.
  shutdown.whenConnectionsEnd(() => setImmediate(() => server.close()));
}

/** Sets up errors, validation, headers and Swagger UI, before the app listens. */
export function configureApi(app: NestFastifyApplication): void {
  const callers = app.get(Callers, { strict: false });
  configureHttpApp(app, { callerOf: (request) => callers.of(request) });
  const fastify = app.getHttpAdapter().getInstance();
  closePortFirst(fastify, app.get(Shutdown));
  fastify.addHook('onRoute', (route) => {
    const isDocs = route.url === DOCS_PATH || route.url.startsWith(`${DOCS_PATH}/`);
    if (isDocs) route.config = { ...route.config, securityHeaders: docsHeaders };
  });
  setSecurityHeaders(app);
  app.get(ShownDescription).describe = () => buildOpenApi(app);
}
