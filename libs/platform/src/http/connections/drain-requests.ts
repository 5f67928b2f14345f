import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Stopping } from '#platform/errors';
import type { Shutdown } from '#platform/lifecycle';
import { isProbe } from './probes.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Whether the response lasts until the client disconnects (WebSocket, event stream). Such a route itself ends its
     * responses when the process stops.
     */
    isHandedOver?: boolean;
  }
}

/**
 * Lets a stopping process finish the requests that it has begun, also after their client has disconnected, and refuses
 * new ones. Once the stop is announced, every response closes its connection, so that a proxy does not reuse a
 * connection that this process is about to close.
 */
export function drainRequests(fastify: FastifyInstance, shutdown: Shutdown): void {
  const inFlight = new Set<FastifyRequest>();
  let idle = (): void => undefined;

  fastify.addHook('onRequest', (request, _reply, done) => {
    if (isProbe(request.url)) return done();
    done(shutdown.hasBegun ? new Stopping() : undefined);
  });
  // A request counts as begun when its body has arrived and it was admitted.
  fastify.addHook('preValidation', (request, _reply, done) => {
    if (isProbe(request.url)) return done();
    if (shutdown.hasBegun) return done(new Stopping());
    if (request.routeOptions.config.isHandedOver !== true) inFlight.add(request);
    done();
  });
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    inFlight.delete(request);
    if (shutdown.isAnnounced) void reply.header('connection', 'close');
    if (inFlight.size === 0) idle();
    done();
  });
  shutdown.waitFor(
    () =>
      new Promise((resolve) => {
        idle = resolve;
        if (inFlight.size === 0) resolve();
      }),
  );
}
