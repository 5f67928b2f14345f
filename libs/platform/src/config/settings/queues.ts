import { integer } from './kinds.js';

export const queueSettings = {
  QUEUE_LOCK_MS: integer(
    10_000,
    500,
    300_000,
    'How long a job stays with a worker that has stopped renewing its lock. Another worker takes the job after that.',
  ),
  QUEUE_STALLED_CHECK_MS: integer(5_000, 200, 300_000, 'How often a worker checks for jobs of workers that have died.'),
  QUEUE_LEASE_MS: integer(
    8_000,
    50,
    8_000,
    'How long a due row is skipped after a job was enqueued for it. A lost job is enqueued again after this time and one more sweep. While the job exists, no second one is enqueued.',
  ),
  QUEUE_POOL_MAX: integer(
    5,
    2,
    100,
    'Without Redis: most connections to PostgreSQL that the jobs of a worker process share. Its sweeps share as many. Each kind of job needs one more connection.',
  ),
  QUEUE_KEEP_COMPLETED: integer(1_000, 0, 100_000, 'Completed jobs that each queue keeps for inspection.'),
  QUEUE_KEEP_FAILED: integer(5_000, 0, 100_000, 'Failed jobs that each queue keeps for inspection.'),
  QUEUE_SCHEDULE_CHECK_MS: integer(
    5_000,
    50,
    15_000,
    'How often a worker checks that the schedules of repeated jobs exist. It creates missing ones again, for example after Redis has lost its data.',
  ),
};
