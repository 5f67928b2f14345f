import { integer } from './kinds.js';

export const metricsSettings = {
  METRICS_PORT: integer(
    9464,
    0,
    65_535,
    'TCP port of `/metrics` of the API. The probes `/livez` and `/readyz` are served there, too. 0 picks a free port.',
  ),
  WORKER_METRICS_PORT: integer(
    9465,
    0,
    65_535,
    'TCP port of `/metrics` of the worker. Its probes are served there, too. 0 picks a free port.',
  ),
  METRICS_KEEP_MS: integer(
    5_000,
    0,
    60_000,
    'How long the text of `/metrics` is served again before the metrics are read anew. Some metrics cost a query.',
  ),
  METRICS_CONNECTIONS_MAX: integer(20, 1, 1_000, 'Most open connections to the metrics port of one process.'),
};
