import { WorkerHost } from '@nestjs/bullmq';
import { Global, Injectable, Module, type INestApplicationContext, type Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { Job } from 'bullmq';
import { pino } from 'pino';
import { Clock } from '#platform/clock';
import { ConfigModule, loadConfig } from '#platform/config';
import { DatabaseModule } from '#platform/database';
import { PeriodicTasks, Shutdown } from '#platform/lifecycle';
import { LoggingModule, NestLogger } from '#platform/logging';
import { Metrics } from '#platform/metrics';
import { until } from '#platform/testing';
import { defineJob } from '../define-job.js';
import { JobProcessor } from '../job-processor.decorator.js';
import { JobQueue } from '../job-queue.js';
import { QueueModule } from '../queue.module.js';

export const ProbeJob = defineJob<{ key: string }>('probe.run', {
  concurrency: 'WALLET_SYNC_CONCURRENCY',
});
export const LimitedJob = defineJob<{ key: string }>('probe.limit', {
  concurrency: 'WALLET_SYNC_CONCURRENCY',
  perSecond: 'WALLET_SYNC_PER_SECOND',
});

interface Run {
  key: string;
  /** The worker that ran the job. */
  worker: string;
  startedAt: number;
  ended: boolean;
}

/** Records the runs of jobs. A test can set a function for each key, which each run calls with its number. */
@Injectable()
export class Runs {
  readonly all: Run[] = [];
  private readonly scripts = new Map<string, (run: number) => Promise<void>>();

  script(key: string, run: (run: number) => Promise<void>): void {
    this.scripts.set(key, run);
  }

  of(key: string): Run[] {
    return this.all.filter((run) => run.key === key);
  }

  count(key: string): number {
    return this.of(key).filter(({ ended }) => ended).length;
  }

  begun(key: string, runs = 1): Promise<void> {
    return until(`${runs} of ${key} begun`, () => this.of(key).length >= runs);
  }

  ended(key: string, runs = 1): Promise<void> {
    return until(`${runs} of ${key} ended`, () => this.count(key) >= runs);
  }

  async run(key: string, worker: string): Promise<void> {
    const run = { key, worker, startedAt: Date.now(), ended: false };
    this.all.push(run);
    try {
      await this.scripts.get(key)?.(this.of(key).length);
    } finally {
      run.ended = true;
    }
  }
}

@Injectable()
class WorkerName {
  constructor(readonly name: string) {}
}

@JobProcessor(ProbeJob)
export class RunProbeProcessor extends WorkerHost {
  constructor(
    private readonly runs: Runs,
    private readonly workerName: WorkerName,
  ) {
    super();
  }

  async process(job: Job<{ key: string }>): Promise<void> {
    await this.runs.run(job.data.key, this.workerName.name);
  }
}

@JobProcessor(LimitedJob)
export class LimitProbeProcessor extends WorkerHost {
  constructor(
    private readonly runs: Runs,
    private readonly workerName: WorkerName,
  ) {
    super();
  }

  async process(job: Job<{ key: string }>): Promise<void> {
    await this.runs.run(job.data.key, this.workerName.name);
  }
}

@Global()
@Module({ providers: [Clock, PeriodicTasks, Metrics, Shutdown], exports: [Clock, PeriodicTasks, Metrics, Shutdown] })
class BaseModule {}

@Module({})
class ProbeModule {}

/** A worker inside the test process, with the two probe jobs. */
export class QueueHarness {
  readonly jobs: JobQueue;
  readonly runs: Runs;

  private constructor(
    readonly app: INestApplicationContext,
    /** Log lines of the worker, as JSON. */
    readonly log: string[],
  ) {
    this.jobs = app.get(JobQueue, { strict: false });
    this.runs = app.get(Runs, { strict: false });
  }

  static async start(
    settings: Record<string, string>,
    { name = 'one', runs = new Runs(), processors = [RunProbeProcessor, LimitProbeProcessor] as Type[] } = {},
  ): Promise<QueueHarness> {
    const log: string[] = [];
    const logger = pino({ level: 'info' }, { write: (line: string) => void log.push(line) });
    const module = await Test.createTestingModule({
      imports: [
        ConfigModule.forRoot(loadConfig({ NODE_ENV: 'test', ...settings })),
        LoggingModule.forRoot(logger),
        DatabaseModule.forRoot('queue-test'),
        BaseModule,
        QueueModule.forWorker(),
        {
          module: ProbeModule,
          imports: [QueueModule.forJobs(ProbeJob, LimitedJob)],
          providers: [
            { provide: Runs, useValue: runs },
            { provide: WorkerName, useValue: new WorkerName(name) },
            ...processors,
          ],
          exports: [Runs],
        },
      ],
    })
      .setLogger(new NestLogger(logger))
      .compile();
    try {
      return new QueueHarness(await module.init(), log);
    } catch (error) {
      await module.close();
      throw error;
    }
  }

  get errors(): string[] {
    return this.log.filter((line) => line.includes('"level":50'));
  }

  close(): Promise<void> {
    return this.app.close();
  }
}
