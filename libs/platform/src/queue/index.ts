/**
 * platform/queue: background work on BullMQ, in Redis or in PostgreSQL.
 *
 * Owns: the connection, job definitions, enqueueing. Never does: decide what is to be done (the row does).
 * Invariants: payloads carry ids only; a job may run twice; losing every queue loses no work, because sweeps over rows
 * enqueue again what is due.
 */
export { defineJob } from './define-job.js';
export { JobQueue } from './job-queue.js';
export { QueueModule } from './queue.module.js';
