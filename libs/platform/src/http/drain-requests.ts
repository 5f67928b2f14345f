import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Stopping } from '#platform/errors';
import type { Shutdown } from '#platform/lifecycle';
import { isProbe } from './probes.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What is answered goes on after the request, and whoever answers it ends it when the process stops. */
    isHandedOver?: boolean;
  }
}

/**
 * Lets a stopping process finish the requests that it has begun, also those whose client is gone, and begin no new ones.
 * From the announcement on, every response ends its connection: a proxy then keeps none that this process will close
 * under a request.
 */
export function drainRequests(fastify: FastifyInstance, shutdown: Shutdown): void {
  const inFlight = new Set<FastifyRequest>();
  let idle = (): void => undefined;

  fastify.addHook('onRequest', (request, _reply, done) => {
    if (isProbe(request.url)) return done();
    done(shutdown.hasBegun ? new Stopping() : undefined);
  });
  // From here on it is begun: its body has arrived and it was admitted, so that it will be answered.
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
