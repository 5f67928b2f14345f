import { integer } from './kinds.js';

export const queueSettings = {
  QUEUE_LOCK_MS: integer(
    10_000,
    500,
    300_000,
    'How long a job belongs to a worker that does not say that it lives; then another takes it up.',
  ),
  QUEUE_STALLED_CHECK_MS: integer(5_000, 200, 300_000, 'How often a worker looks for jobs of workers that are gone.'),
  QUEUE_LEASE_MS: integer(
    8_000,
    50,
    8_000,
    'How long a row that became a job is not looked at again: if its job was lost, this and one sweep later there is a new one. While the job is there, a second one is not.',
  ),
  QUEUE_POOL_MAX: integer(
    5,
    2,
    100,
    'Without Redis: connections to PostgreSQL that the jobs of a worker process share, and as many that its sweeps share; beside one for each kind of job.',
  ),
  QUEUE_KEEP_COMPLETED: integer(1_000, 0, 100_000, 'Completed jobs that each queue keeps to be looked at.'),
  QUEUE_KEEP_FAILED: integer(5_000, 0, 100_000, 'Failed jobs that each queue keeps to be looked at.'),
  QUEUE_SCHEDULE_CHECK_MS: integer(
    5_000,
    50,
    15_000,
    'How often a worker makes sure that the schedules of repeated jobs exist: a queue that lost everything has none.',
  ),
};
