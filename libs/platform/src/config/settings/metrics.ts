import { integer } from './kinds.js';

export const metricsSettings = {
  METRICS_PORT: integer(9464, 0, 65_535).describe(
    'TCP port of `/metrics` of the API. The probes `/livez` and `/readyz` are served there, too. 0 picks a free port.',
  ),
  WORKER_METRICS_PORT: integer(9465, 0, 65_535).describe(
    'TCP port of `/metrics` of the worker. Its probes are served there, too. 0 picks a free port.',
  ),
};
