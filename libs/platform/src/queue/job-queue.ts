import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { getQueueToken } from '@nestjs/bullmq';
import type { BulkJobOptions, Queue } from 'bullmq';
import { Clock } from '#platform/clock';
import { assertOutsideTransaction } from '#platform/database';
import type { JobDefinition, JobPayload } from './define-job.js';

/** Jobs that one statement adds: each takes a lock until it ends, and the database has a table of them. */
const BULK_MAX = 100;

/** Puts work on a queue. A job is a wake-up: what is to be done stands in the database row that its payload names. */
@Injectable()
export class JobQueue {
  constructor(
    private readonly modules: ModuleRef,
    private readonly clock: Clock,
  ) {}

  /** Enqueues once per `id` while a job with that id waits or runs. */
  async enqueue<Payload extends JobPayload>(job: JobDefinition<Payload>, id: string, payload: Payload): Promise<void> {
    assertOutsideTransaction(`enqueueing ${job.name}`);
    await this.queueOf(job).add(job.name, payload, this.optionsOf(job, id));
  }

  /** The same for many, in few round trips; none of them is lost without an error. */
  async enqueueAll<Payload extends JobPayload>(
    job: JobDefinition<Payload>,
    entries: readonly { id: string; payload: Payload }[],
  ): Promise<void> {
    assertOutsideTransaction(`enqueueing ${job.name}`);
    const queue = this.queueOf(job);
    for (let from = 0; from < entries.length; from += BULK_MAX) {
      const bulk = entries.slice(from, from + BULK_MAX);
      await queue.addBulk(
        bulk.map(({ id, payload }) => ({ name: job.name, data: payload, opts: this.optionsOf(job, id) })),
      );
    }
  }

  /** How many jobs of this kind wait or run, in all workers. */
  async backlog<Payload extends JobPayload>(job: JobDefinition<Payload>): Promise<number> {
    return this.queueOf(job).getJobCountByTypes('waiting', 'active');
  }

  private queueOf<Payload extends JobPayload>(job: JobDefinition<Payload>): Queue {
    return this.modules.get<Queue>(getQueueToken(job.name), { strict: false });
  }

  private optionsOf<Payload extends JobPayload>(job: JobDefinition<Payload>, id: string): BulkJobOptions {
    return {
      // Without an id of ours BullMQ creates a sequence for the queue, which a role that owns nothing may not.
      jobId: this.clock.newId(),
      // BullMQ keeps ":" for itself; deduplication ends with the job, so that the next wake-up gets through.
      deduplication: { id: id.replaceAll(':', '_') },
      attempts: job.options.attempts,
      backoff: { type: 'exponential', delay: job.options.backoffMs },
    };
  }
}
