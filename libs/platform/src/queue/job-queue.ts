import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { getQueueToken } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import { Clock } from '#platform/clock';
import { assertOutsideTransaction } from '#platform/database';
import type { JobDefinition, JobPayload } from './define-job.js';

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
    const queue = this.modules.get<Queue>(getQueueToken(job.name), { strict: false });
    await queue.add(job.name, payload, {
      // Without an id of ours BullMQ creates a sequence for the queue, which a role that owns nothing may not.
      jobId: this.clock.newId(),
      // BullMQ keeps ":" for itself; deduplication ends with the job, so that the next wake-up gets through.
      deduplication: { id: id.replaceAll(':', '_') },
      attempts: job.options.attempts,
      backoff: { type: 'exponential', delay: job.options.backoffMs },
    });
  }
}
