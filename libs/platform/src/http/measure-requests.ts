import type { Metrics } from '#platform/metrics';

/** Upper bounds of the buckets, in seconds. The last one is above the longest execution (29 s by default). */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Records the duration of one request by the pattern of its route. */
export type MeasureRequest = (facts: { method: string; route: string; status: number; ms: number }) => void;

/**
 * Returns the function that records durations. It labels them with the pattern of the route and not with the path,
 * because paths contain ids and would create endless label values.
 */
export function measureRequests(metrics: Metrics): MeasureRequest {
  const seconds = metrics.histogram(
    {
      name: 'causeway_http_request_seconds',
      help: 'Duration of requests by method, pattern of the route (none = no such route) and status (499 = the client left before the response).',
      labels: ['method', 'route', 'status'],
    },
    BUCKETS,
  );
  return ({ method, route, status, ms }) => seconds.observe({ method, route, status }, ms / 1_000);
}
