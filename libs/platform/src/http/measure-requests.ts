import type { FastifyInstance } from 'fastify';
import type { Metrics } from '#platform/metrics';

/** Upper bounds in seconds. The highest is about the longest execution. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Records the duration of one response by the pattern of its route. */
export type MeasureRequest = (facts: { method: string; route: string; status: number; ms: number }) => void;

/**
 * Measures every response by the pattern of its route, because paths contain ids and would create endless label values.
 * @returns the function for responses that are sent without the framework
 */
export function measureRequests(fastify: FastifyInstance, metrics: Metrics): MeasureRequest {
  const seconds = metrics.histogram(
    {
      name: 'causeway_http_request_seconds',
      help: 'Duration of answered requests by method, pattern of the route (none = no such route) and status.',
      labels: ['method', 'route', 'status'],
    },
    BUCKETS,
  );
  const measure: MeasureRequest = ({ method, route, status, ms }) =>
    seconds.observe({ method, route, status }, ms / 1_000);
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    measure({ method: request.method, route, status: reply.statusCode, ms: reply.elapsedTime });
    done();
  });
  return measure;
}
