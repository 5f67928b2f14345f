import type { FastifyInstance } from 'fastify';
import type { Metrics } from '#platform/metrics';

/** Upper bounds in seconds. The highest is about the longest execution. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Measures every response by the pattern of its route, because paths contain ids and would create endless label values. */
export function measureRequests(fastify: FastifyInstance, metrics: Metrics): void {
  const seconds = metrics.histogram(
    {
      name: 'causeway_http_request_seconds',
      help: 'Duration of answered requests by method, pattern of the route (none = no such route) and status.',
      labels: ['method', 'route', 'status'],
    },
    BUCKETS,
  );
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    seconds.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1_000);
    done();
  });
}
