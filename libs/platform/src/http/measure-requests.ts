import type { FastifyInstance } from 'fastify';
import type { Metrics } from '#platform/metrics';

/** Seconds; the last one is the longest that an answer is waited for. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Counts and times every answer by the pattern of its route: a path as it came has ids in it, and there is no end of them. */
export function measureRequests(fastify: FastifyInstance, metrics: Metrics): void {
  const seconds = metrics.histogram(
    {
      name: 'causeway_http_request_seconds',
      help: 'Answered requests by method, pattern of the route (none = no such route) and status.',
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
