import { integer } from './kinds.js';

export const queueSettings = {
  QUEUE_POOL_MAX: integer(5, 2, 100).describe(
    'Without Redis: maximum number of connections to PostgreSQL that the jobs of a worker process share. Its sweeps share as many. Each kind of job needs one more connection.',
  ),
};
