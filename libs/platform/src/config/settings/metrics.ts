import { integer } from './kinds.js';

export const metricsSettings = {
  METRICS_PORT: integer(9464, 0, 65_535, 'TCP port of `/metrics` of the API; 0 picks a free one.'),
  WORKER_METRICS_PORT: integer(9465, 0, 65_535, 'TCP port of `/metrics` of the worker; 0 picks a free one.'),
};
