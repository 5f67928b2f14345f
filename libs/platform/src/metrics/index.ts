/**
 * platform/metrics: the Prometheus metrics of a process.
 *
 * Owns: the registry, and the server on a separate port that serves it.
 * Never does: use an id of a tenant as a label, or delay a request.
 */
export { Metrics } from './metrics.js';
export { MetricsServer } from './metrics-server.js';
export { ProcessMetrics } from './process-metrics.js';
