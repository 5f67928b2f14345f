import { integer } from './kinds.js';

export const queueSettings = {
  QUEUE_LOCK_MS: integer(
    10_000,
    500,
    300_000,
    'How long a job belongs to a worker that does not say that it lives; then another takes it up.',
  ),
  QUEUE_STALLED_CHECK_MS: integer(5_000, 200, 300_000, 'How often a worker looks for jobs of workers that are gone.'),
  QUEUE_KEEP_COMPLETED: integer(1_000, 0, 100_000, 'Completed jobs that each queue keeps to be looked at.'),
  QUEUE_KEEP_FAILED: integer(5_000, 0, 100_000, 'Failed jobs that each queue keeps to be looked at.'),
  QUEUE_SCHEDULE_CHECK_MS: integer(
    5_000,
    50,
    15_000,
    'How often a worker makes sure that the schedules of repeated jobs exist: a queue that lost everything has none.',
  ),
};
