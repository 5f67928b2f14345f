import { integer } from './kinds.js';

export const metricsSettings = {
  METRICS_PORT: integer(
    9464,
    0,
    65_535,
    'TCP port of `/metrics` of the API, and of its probes `/livez` and `/readyz` once more; 0 picks a free one.',
  ),
  WORKER_METRICS_PORT: integer(
    9465,
    0,
    65_535,
    'TCP port of `/metrics` of the worker, and of its probes once more; 0 picks a free one.',
  ),
  METRICS_KEEP_MS: integer(
    5_000,
    0,
    60_000,
    'How long the metrics of a process are shown again before they are read anew: some cost a query.',
  ),
  METRICS_CONNECTIONS_MAX: integer(20, 1, 1_000, 'Open connections to the port of `/metrics` of one process.'),
};
