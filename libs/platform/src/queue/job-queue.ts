import { getQueueToken } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { JobsOptions, Queue } from 'bullmq';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database, assertOutsideTransaction } from '#platform/database';
import { PeriodicTasks } from '#platform/lifecycle';
import type { JobDefinition, JobPayload } from './define-job.js';

/**
 * Maximum number of jobs that one statement adds. Each takes a lock until the statement ends, and PostgreSQL's lock
 * table is limited.
 */
const BULK_MAX = 100;
/** Each queue keeps its latest completed and failed jobs for inspection. */
const JOB_OPTIONS: JobsOptions = {
  attempts: 1,
  removeOnComplete: { count: 1_000 },
  removeOnFail: { count: 5_000 },
};

/** One of several jobs that are enqueued together. `id` is the id of the database row that the job works on. */
export interface JobEntry<Payload extends JobPayload> {
  id: string;
  payload: Payload;
}

/** Enqueues jobs. A job only wakes a worker; the work is in the database row that the payload names. */
@Injectable()
export class JobQueue {
  /** The queues by the name of their job. Without this map, Nest would search all modules for a queue. */
  private readonly queues = new Map<string, Queue>();

  constructor(
    private readonly modules: ModuleRef,
    private readonly clock: Clock,
    private readonly db: Database,
    private readonly periodicTasks: PeriodicTasks,
    private readonly config: Config,
  ) {}

  /** Enqueues a job, unless a job with the same `id` waits or runs. */
  async enqueue<Payload extends JobPayload>(job: JobDefinition<Payload>, id: string, payload: Payload): Promise<void> {
    await this.enqueueAll(job, [{ id, payload }]);
  }

  /** Enqueues many jobs with a few commands. */
  async enqueueAll<Payload extends JobPayload>(
    job: JobDefinition<Payload>,
    entries: readonly JobEntry<Payload>[],
  ): Promise<void> {
    assertOutsideTransaction(`enqueueing ${job.name}`);
    for (let first = 0; first < entries.length; first += BULK_MAX) {
      const jobs = entries.slice(first, first + BULK_MAX).map(({ id, payload }) => ({
        name: job.name,
        data: payload,
        // Without our own id, BullMQ would create a sequence, and the role of the worker may not create one.
        // Deduplication ends with the job, so that the row can be enqueued again.
        opts: { ...JOB_OPTIONS, jobId: this.clock.newId(), deduplication: { id: keyOf(id) } },
      }));
      await this.queueOf(job).addBulk(jobs);
    }
  }

  /** Enqueues jobs until `count` of them wait. All of them are alike: each takes due rows when it runs. */
  async fill(job: JobDefinition<Record<string, never>>, count: number): Promise<void> {
    const missing = count - (await this.queueOf(job).getJobCountByTypes('waiting'));
    const entries = Array.from({ length: Math.max(0, missing) }, () => ({ id: this.clock.newId(), payload: {} }));
    await this.enqueueAll(job, entries);
  }

  /**
   * Enqueues a job for each due row that `take` returns. At most `max` jobs of this kind wait or run in all workers
   * together. `take` receives the number of jobs that may still be added. The other rows stay due.
   * @returns the number of jobs that it has enqueued
   */
  async enqueueDue<Payload extends JobPayload>(
    job: JobDefinition<Payload>,
    max: number,
    take: (room: number) => Promise<readonly JobEntry<Payload>[]>,
  ): Promise<number> {
    const room = max - (await this.queueOf(job).getJobCountByTypes('waiting', 'active'));
    if (room <= 0) return 0;
    const entries = await take(room);
    await this.enqueueAll(job, entries);
    return entries.length;
  }

  /**
   * Runs the job at once and again after each period of `everyMs`, once for all workers with the same schedule. A queue
   * that has lost its data gets the schedule back within QUEUE_SCHEDULE_CHECK_MS. A different payload needs a different
   * `id`.
   */
  schedule<Payload extends JobPayload>(
    job: JobDefinition<Payload>,
    id: string,
    everyMs: number,
    payload: Payload,
  ): void {
    this.periodicTasks.startDueWork(
      `schedule ${job.name} ${id}`,
      this.config.constants.QUEUE_SCHEDULE_CHECK_MS,
      async () => {
        const dueInMs = await this.dueInMs(job, id, everyMs);
        if (!isWorking(dueInMs, everyMs)) await this.makeSchedule(job, id, everyMs, payload);
      },
    );
  }

  /** The time until the next run; negative = the run is late, null = there is no schedule with this period. */
  private async dueInMs(job: JobDefinition, id: string, everyMs: number): Promise<number | null> {
    const found = await this.queueOf(job).getJobScheduler(keyOf(id));
    return found?.every === everyMs ? (found.next ?? 0) - this.clock.now().getTime() : null;
  }

  private async makeSchedule(job: JobDefinition, id: string, everyMs: number, payload: JobPayload): Promise<void> {
    // Only one of several workers creates the schedule, because creating it runs the job at once.
    await this.db.transaction(async (tx) => {
      const lock = [`causeway.schedule.${job.name}.${id}`];
      const taken = `select pg_try_advisory_xact_lock(hashtext($1)) as mine`;
      const [row] = await this.db.query<{ mine: boolean }>(taken, lock, tx);
      if (row?.mine !== true) return;
      const dueInMs = await this.dueInMs(job, id, everyMs);
      if (isWorking(dueInMs, everyMs)) return;
      const template = { name: job.name, data: payload, opts: JOB_OPTIONS };
      // BullMQ keeps the next run of an existing schedule, so a schedule whose next run is too far away is removed
      // first. A schedule whose run is late stays: the clock of this host may be ahead, and a new schedule would run at
      // once.
      if (dueInMs !== null && dueInMs > 0) await this.queueOf(job).removeJobScheduler(keyOf(id));
      await this.queueOf(job).upsertJobScheduler(keyOf(id), { every: everyMs }, template);
    });
  }

  private queueOf({ name }: JobDefinition): Queue {
    let queue = this.queues.get(name);
    if (queue === undefined) {
      queue = this.modules.get<Queue>(getQueueToken(name), { strict: false });
      this.queues.set(name, queue);
    }
    return queue;
  }
}

/** Returns the id without colons, which BullMQ reserves in keys. */
function keyOf(id: string): string {
  return id.replaceAll(':', '_');
}

/**
 * Whether a schedule works: its next run is less than two periods away, or less than one period late. The next run is
 * one period away at most, and a second period allows for differences between clocks. A run may be late because all
 * workers are busy. A run that is further away was planned by a worker whose clock was ahead.
 * @param dueInMs the time until the next run; null = there is no schedule
 */
function isWorking(dueInMs: number | null, everyMs: number): boolean {
  return dueInMs !== null && dueInMs > -everyMs && dueInMs < 2 * everyMs;
}
