import { integer } from './kinds.js';

export const queueSettings = {
  QUEUE_POOL_MAX: integer(5, 2, 100).describe(
    'Without Redis: maximum number of connections to PostgreSQL that the jobs of a worker process share. Enqueueing uses up to as many further connections, and each kind of job needs one more.',
  ),
};
