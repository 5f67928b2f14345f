import { Processor, WorkerHost } from '@nestjs/bullmq';
import { Global, Injectable, Module, type INestApplicationContext, type Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { Job } from 'bullmq';
import pg from 'pg';
import { pino } from 'pino';
import { Clock } from '#platform/clock';
import { ConfigModule, loadConfig, type Config } from '#platform/config';
import { Database, DatabaseModule } from '#platform/database';
import { LoggingModule, NestLogger } from '#platform/logging';
import { createTestDatabase, type TestDatabase } from '#platform/testing';
import { defineJob } from './define-job.js';
import { JobQueue } from './job-queue.js';
import { QueueModule } from './queue.module.js';

const ProbeJob = defineJob<{ key: string }>('probe.run', { attempts: 3, backoffMs: 20, concurrency: 2 });

/** What a job does is the test's business: each key has a script, and a promise for the end of each run. */
@Injectable()
class Runs {
  readonly log: string[] = [];
  private readonly scripts = new Map<string, (run: number) => Promise<void>>();
  private readonly waiting: { key: string; runs: number; resolve: () => void }[] = [];

  script(key: string, run: (run: number) => Promise<void>): void {
    this.scripts.set(key, run);
  }

  count(key: string): number {
    return this.log.filter((entry) => entry === key).length;
  }

  async ended(key: string, runs: number): Promise<void> {
    if (this.count(key) >= runs) return;
    await new Promise<void>((resolve) => this.waiting.push({ key, runs, resolve }));
  }

  async run(key: string): Promise<void> {
    try {
      await this.scripts.get(key)?.(this.count(key) + 1);
    } finally {
      this.log.push(key);
      for (const one of this.waiting) if (one.key === key && this.count(key) >= one.runs) one.resolve();
    }
  }
}

@Processor(ProbeJob.name, { concurrency: ProbeJob.options.concurrency })
class RunProbeProcessor extends WorkerHost {
  constructor(private readonly runs: Runs) {
    super();
  }

  async process(job: Job<{ key: string }>): Promise<void> {
    await this.runs.run(job.data.key);
  }
}

@Processor(ProbeJob.name)
class SecondProbeProcessor extends WorkerHost {
  async process(): Promise<void> {
    await Promise.resolve();
  }
}

@Global()
@Module({ providers: [Clock], exports: [Clock] })
class ClockModule {}

@Module({})
class ProbeModule {}

describe('queues in PostgreSQL', () => {
  let database: TestDatabase;
  let config: Config;
  const logger = pino({ level: 'silent' });

  beforeAll(async () => {
    database = await createTestDatabase();
    config = loadConfig({ NODE_ENV: 'test', DATABASE_URL: database.appUrl });
  });
  afterAll(() => database.drop());

  async function start(...processors: Type[]): Promise<INestApplicationContext> {
    const module = await Test.createTestingModule({
      imports: [
        ConfigModule.forRoot(config),
        LoggingModule.forRoot(logger),
        DatabaseModule.forRoot('queue-test'),
        ClockModule,
        QueueModule.forWorker(),
        {
          module: ProbeModule,
          imports: [QueueModule.forJobs(ProbeJob)],
          providers: [Runs, ...processors],
          exports: [Runs],
        },
      ],
    })
      .setLogger(new NestLogger(logger))
      .compile();
    try {
      return await module.init();
    } catch (error) {
      await module.close();
      throw error;
    }
  }

  describe('with one processor for each job', () => {
    let app: INestApplicationContext;
    let queue: JobQueue;
    let runs: Runs;

    beforeAll(async () => {
      app = await start(RunProbeProcessor);
      queue = app.get(JobQueue, { strict: false });
      runs = app.get(Runs, { strict: false });
    });
    afterAll(() => app.close());

    it('works as a role that owns nothing', async () => {
      const client = new pg.Client(database.appUrl);
      await client.connect();
      const { rows } = await client.query<{ owned: string }>(
        `select count(*) as owned from pg_class where relowner = (select oid from pg_roles where rolname = current_user)`,
      );
      await client.end();
      expect(rows[0]?.owned).toBe('0');

      await queue.enqueue(ProbeJob, 'plain', { key: 'plain' });
      await runs.ended('plain', 1);
      expect(runs.count('plain')).toBe(1);
    });

    it('runs a failed job again, with a pause, until it succeeds', async () => {
      runs.script('flaky', (run) => (run < 3 ? Promise.reject(new Error('not yet')) : Promise.resolve()));
      await queue.enqueue(ProbeJob, 'flaky', { key: 'flaky' });
      await runs.ended('flaky', 3);
      await queue.enqueue(ProbeJob, 'after-flaky', { key: 'after-flaky' });
      await runs.ended('after-flaky', 1);
      expect(runs.count('flaky')).toBe(3);
    });

    it('enqueues once per id while a job with that id runs, and again afterwards', async () => {
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      let begin = (): void => undefined;
      const begun = new Promise<void>((resolve) => (begin = resolve));
      runs.script('same', (run) => {
        begin();
        return run === 1 ? held : Promise.resolve();
      });
      await queue.enqueue(ProbeJob, 'same', { key: 'same' });
      await begun;
      await queue.enqueue(ProbeJob, 'same', { key: 'same' });
      await queue.enqueue(ProbeJob, 'other', { key: 'other' });
      await runs.ended('other', 1);
      release();
      await runs.ended('same', 1);
      expect(runs.count('same')).toBe(1);

      // The end of a job is recorded a moment after its processor returns: until then the id is still taken.
      for (let tick = 1; runs.count('same') < 2; tick++) {
        await queue.enqueue(ProbeJob, 'same', { key: 'same' });
        await queue.enqueue(ProbeJob, `tick-${tick}`, { key: 'tick' });
        await runs.ended('tick', tick);
      }
      expect(runs.count('same')).toBe(2);
    });

    it('refuses to enqueue inside a database transaction', async () => {
      const db = app.get(Database, { strict: false });
      const work = db.transaction(() => queue.enqueue(ProbeJob, 'inside', { key: 'inside' }));
      await expect(work).rejects.toThrow(/must not happen inside a database transaction/);
    });
  });

  it('lets a running job end before the process does', async () => {
    const app = await start(RunProbeProcessor);
    const runs = app.get(Runs, { strict: false });
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    runs.script('long', async () => {
      begin();
      await app.get(Database, { strict: false }).query('select pg_sleep(0.3)');
    });
    await app.get(JobQueue, { strict: false }).enqueue(ProbeJob, 'long', { key: 'long' });
    await begun;
    await app.close();
    expect(runs.count('long')).toBe(1);
  });

  it('does not start without a processor for a job in use, and names the file to write', async () => {
    await expect(start()).rejects.toThrow(
      'job probe.run has 0 processors, not one: libs/probe/src/run-probe.processor.ts',
    );
  });

  it('does not start with two processors for one job', async () => {
    await expect(start(RunProbeProcessor, SecondProbeProcessor)).rejects.toThrow('job probe.run has 2 processors');
  });
});
