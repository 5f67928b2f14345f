/**
 * platform/metrics: what a process tells of itself in numbers.
 *
 * Owns: the registry, and the server on a port of its own that shows it.
 * Never does: carry an id of a tenant in a label, or make anybody wait.
 */
export { Metrics } from './metrics.js';
export { MetricsServer } from './metrics-server.js';
export { ProcessMetrics } from './process-metrics.js';
