/**
 * platform/queue: background work on BullMQ, in Redis or in PostgreSQL.
 *
 * Owns: the connections, job definitions, enqueueing, schedules. Never does: decide what is to be done (the row does).
 * Invariants: payloads carry ids only; a job may run twice; losing every queue loses no work, because sweeps over rows
 * enqueue again what is due, and every worker makes the schedules again that are missing.
 */
export { defineJob } from './define-job.js';
export { JobProcessor } from './job-processor.decorator.js';
export { JobQueue } from './job-queue.js';
export { QueueUnreachable } from './queue-connections.js';
export { QueueModule } from './queue.module.js';
export { Queues } from './queues.js';
