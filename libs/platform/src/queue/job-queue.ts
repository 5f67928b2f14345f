import { getQueueToken } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { JobsOptions, Queue } from 'bullmq';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database, assertOutsideTransaction } from '#platform/database';
import { PeriodicTasks } from '#platform/lifecycle';
import type { JobDefinition, JobPayload } from './define-job.js';

/** Jobs that one statement adds: each takes a lock until it ends, and PostgreSQL has a table of them. */
const BULK_MAX = 100;

/** One job of many: `id` is what its row is told apart by. */
export interface JobEntry<Payload extends JobPayload> {
  id: string;
  payload: Payload;
}

/** Puts work on a queue. A job is a wake-up: what is to be done stands in the database row that its payload names. */
@Injectable()
export class JobQueue {
  constructor(
    private readonly modules: ModuleRef,
    private readonly clock: Clock,
    private readonly db: Database,
    private readonly periodicTasks: PeriodicTasks,
    private readonly config: Config,
  ) {}

  /** Enqueues once per `id` while a job with that id waits or runs. */
  async enqueue<Payload extends JobPayload>(job: JobDefinition<Payload>, id: string, payload: Payload): Promise<void> {
    await this.enqueueAll(job, [{ id, payload }]);
  }

  /** The same for many rows at once: a few commands instead of one for each. */
  async enqueueAll<Payload extends JobPayload>(
    job: JobDefinition<Payload>,
    entries: readonly JobEntry<Payload>[],
  ): Promise<void> {
    assertOutsideTransaction(`enqueueing ${job.name}`);
    const options = this.optionsOf(job);
    for (let first = 0; first < entries.length; first += BULK_MAX) {
      const jobs = entries.slice(first, first + BULK_MAX).map(({ id, payload }) => ({
        name: job.name,
        data: payload,
        // Without an id of ours BullMQ creates a sequence for the queue, which a role that owns nothing may not.
        // Deduplication ends with the job, so that the next wake-up gets through.
        opts: { ...options, jobId: this.clock.newId(), deduplication: { id: keyOf(id) } },
      }));
      await this.queueOf(job).addBulk(jobs);
    }
  }

  /** How many jobs of this kind wait or run, in all workers. */
  async backlog(job: JobDefinition): Promise<number> {
    return this.queueOf(job).getJobCountByTypes('waiting', 'active');
  }

  /**
   * From now on the job runs at once and then every `everyMs`, once for all workers that say the same. A queue that has
   * lost everything gets the schedule back within QUEUE_SCHEDULE_CHECK_MS. Another payload needs another `id`.
   */
  schedule<Payload extends JobPayload>(
    job: JobDefinition<Payload>,
    id: string,
    everyMs: number,
    payload: Payload,
  ): void {
    this.periodicTasks.start(`schedule ${job.name} ${id}`, this.config.values.QUEUE_SCHEDULE_CHECK_MS, async () => {
      if (!(await this.isScheduled(job, id, everyMs))) await this.makeSchedule(job, id, everyMs, payload);
    });
  }

  private async isScheduled(job: JobDefinition, id: string, everyMs: number): Promise<boolean> {
    const found = await this.queueOf(job).getJobScheduler(keyOf(id));
    // The next run of a schedule that is alive lies in the future, or waits for a worker that is busy.
    return found?.every === everyMs && (found.next ?? 0) + everyMs > this.clock.now().getTime();
  }

  private async makeSchedule(job: JobDefinition, id: string, everyMs: number, payload: JobPayload): Promise<void> {
    // Of workers that miss it at the same moment one makes it: each would begin with a run of its own.
    await this.db.transaction(async (tx) => {
      const lock = [`causeway.schedule.${job.name}.${id}`];
      const taken = `select pg_try_advisory_xact_lock(hashtext($1)) as mine`;
      const [row] = await this.db.query<{ mine: boolean }>(taken, lock, tx);
      if (row?.mine !== true || (await this.isScheduled(job, id, everyMs))) return;
      const template = { name: job.name, data: payload, opts: this.optionsOf(job) };
      await this.queueOf(job).upsertJobScheduler(keyOf(id), { every: everyMs }, template);
    });
  }

  private optionsOf({ options: { attempts, backoffMs } }: JobDefinition): JobsOptions {
    const { QUEUE_KEEP_COMPLETED, QUEUE_KEEP_FAILED } = this.config.values;
    return {
      attempts,
      backoff: { type: 'exponential', delay: backoffMs },
      removeOnComplete: { count: QUEUE_KEEP_COMPLETED },
      removeOnFail: { count: QUEUE_KEEP_FAILED },
    };
  }

  private queueOf(job: JobDefinition): Queue {
    return this.modules.get<Queue>(getQueueToken(job.name), { strict: false });
  }
}

/** BullMQ keeps ":" for itself. */
function keyOf(id: string): string {
  return id.replaceAll(':', '_');
}
