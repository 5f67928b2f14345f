/**
 * platform/queue: background work on BullMQ, in Redis or in PostgreSQL.
 *
 * Owns: the connections, job definitions, enqueueing, schedules. Never does: decide which work is due (the rows do).
 * Invariants: payloads have only ids and versions of rows. A job may run twice. Losing every queue loses no work,
 * because sweeps enqueue due rows again, and every worker creates missing schedules again.
 */
export { defineJob, rowsPerJob } from './define-job.js';
export { JobProcessor } from './job-processor.decorator.js';
export { JobQueue } from './job-queue.js';
export { QueueModule } from './queue.module.js';
export { Queues } from './queues.js';
