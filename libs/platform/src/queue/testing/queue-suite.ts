import { WorkerHost } from '@nestjs/bullmq';
import { Database, DatabaseClock, HostClockDiffers } from '#platform/database';
import { Metrics } from '#platform/metrics';
import { testOverrides } from '#platform/config';
import { until } from '#platform/testing';
import { JobProcessor } from '../job-processor.decorator.js';
import { Queues } from '../queues.js';
import { LimitProbeProcessor, LimitedJob, ProbeJob, QueueHarness, RunProbeProcessor, Runs } from './queue-harness.js';

/** The server of the queues, which a test can interrupt. */
export interface QueueServer {
  /** Settings of a worker that uses this server. */
  settings: Record<string, string>;
  /** Deletes all data of the queues. */
  eraseData: () => Promise<void>;
  /** Breaks every connection and refuses new ones. */
  interrupt: () => Promise<void>;
  /** Makes the server reachable again. It may have lost its data. */
  restore: () => Promise<void>;
  close: () => Promise<void>;
}

const EVERY_MS = 300;
const TICKS = 8;
const OUTAGE_MS = 2_000;
const LINES_MAX = 20;
const RECOVERY_MAX_MS = 10_000;
const END_MAX_MS = 10_000;

/** Shorter periods for tests. */
const quick = testOverrides({ QUEUE_LOCK_MS: 1_000, QUEUE_STALLED_CHECK_MS: 500, QUEUE_SCHEDULE_CHECK_MS: 50 });

@JobProcessor(ProbeJob)
class SecondProbeProcessor extends WorkerHost {
  async process(): Promise<void> {
    await Promise.resolve();
  }
}

/** The server of a suite, and the workers of one test. */
class Bench {
  server: QueueServer;
  private readonly harnesses: QueueHarness[] = [];

  /** Starts a worker, which the suite stops after the test. */
  readonly worker = async (
    options?: Parameters<typeof QueueHarness.start>[1],
    settings = {},
  ): Promise<QueueHarness> => {
    const harness = await QueueHarness.start({ ...quick, ...this.server.settings, ...settings }, options);
    this.harnesses.push(harness);
    return harness;
  };

  /** Waits until every connection has tried several times to reconnect. */
  async outage(): Promise<void> {
    const since = Date.now();
    await until('the outage has lasted long enough', () => Date.now() > since + OUTAGE_MS);
  }

  async clear(): Promise<void> {
    await Promise.all(this.harnesses.splice(0).map((harness) => harness.close()));
    await this.server.eraseData();
  }
}

/** A promise that a test resolves. */
function gate(): { open: () => void; opened: Promise<void> } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

/** Tests that hold for queues in Redis and in PostgreSQL. */
export function describeQueues(where: string, open: () => Promise<QueueServer>): void {
  describe(`queues in ${where}`, () => {
    const bench = new Bench();
    beforeAll(async () => {
      bench.server = await open();
    });
    afterEach(() => bench.clear());
    afterAll(() => bench.server.close());

    testJobs(bench);
    testLimits(bench);
    testClocks(bench);
    testSchedules(bench);
    testProcesses(bench);
  });
}

function testJobs({ worker }: Bench): void {
  it('run a failed job only once, and then accept another job with its id', async () => {
    const { jobs, runs } = await worker();
    runs.script('fails', () => Promise.reject(new Error('not yet')));
    await jobs.enqueue(ProbeJob, 'same', { key: 'fails' });
    await runs.ended('fails');
    // The failure is recorded shortly after the processor has failed, and the id is taken until then.
    await until('the id is free', async () => {
      await jobs.enqueue(ProbeJob, 'same', { key: 'next' });
      return runs.of('next').length >= 1;
    });
    expect(runs.of('fails')).toHaveLength(1);
  });

  it('accept a job once per id while a job with that id runs, and again afterwards', async () => {
    const { jobs, runs } = await worker();
    const { open: release, opened: held } = gate();
    runs.script('same', (run) => (run === 1 ? held : Promise.resolve()));
    await jobs.enqueue(ProbeJob, 'same', { key: 'same' });
    await runs.begun('same');
    await jobs.enqueueAll(
      ProbeJob,
      ['same', 'other', 'same'].map((key) => ({ id: key, payload: { key } })),
    );
    await runs.ended('other');
    release();
    await runs.ended('same');
    expect(runs.of('same')).toHaveLength(1);
    // The end of a job is recorded shortly after its processor returns, and the id is taken until then.
    await until('the id is free', async () => {
      await jobs.enqueue(ProbeJob, 'same', { key: 'same' });
      return runs.of('same').length >= 2;
    });
  });

  it('accept hundreds of jobs at once, and run each job once', async () => {
    const { jobs, runs } = await worker();
    const keys = Array.from({ length: 451 }, (_, n) => `bulk-${n}`);
    await jobs.enqueueAll(
      ProbeJob,
      keys.map((key) => ({ id: key, payload: { key } })),
    );
    await until('all have run', () => runs.all.filter(({ ended }) => ended).length === keys.length);
    expect(new Set(runs.all.map(({ key }) => key)).size).toBe(keys.length);
  });

  it('refuse jobs inside a database transaction', async () => {
    const { app, jobs } = await worker();
    const db = app.get(Database, { strict: false });
    const work = db.transaction(() => jobs.enqueue(ProbeJob, 'inside', { key: 'inside' }));
    await expect(work).rejects.toThrow(/must not happen inside a database transaction/);
  });
}

function testLimits({ worker }: Bench): void {
  it('run as many jobs at the same time as the setting allows', async () => {
    const { jobs, runs } = await worker({}, { WALLET_SYNC_CONCURRENCY: '2' });
    const gates = ['a', 'b', 'c'].map((key) => ({ key, ...gate() }));
    for (const { key, opened } of gates) runs.script(key, () => opened);
    await jobs.enqueueAll(
      ProbeJob,
      gates.map(({ key }) => ({ id: key, payload: { key } })),
    );
    await until('two run', () => runs.all.length === 2);
    const [running] = runs.all;
    gates.find(({ key }) => key === running?.key)?.open();
    await until('the third runs', () => runs.all.length === 3);
    expect(runs.all.filter(({ ended }) => ended)).toHaveLength(1);
    for (const { open: release } of gates) release();
  });

  it('export as metrics the number of jobs and how long the oldest job has waited', async () => {
    const { app, jobs, runs } = await worker({}, { WALLET_SYNC_CONCURRENCY: '1' });
    const metrics = app.get(Metrics, { strict: false });
    const { open: release, opened: held } = gate();
    runs.script('held', () => held);
    await jobs.enqueue(ProbeJob, 'held', { key: 'held' });
    await runs.begun('held');
    await jobs.enqueueAll(
      ProbeJob,
      ['next', 'last'].map((key) => ({ id: key, payload: { key } })),
    );
    const shown = await metrics.registry.metrics();
    expect(shown).toContain('causeway_queue_jobs{queue="probe.run",state="active"} 1');
    expect(shown).toContain('causeway_queue_jobs{queue="probe.run",state="waiting"} 2');
    expect(shown).toContain('causeway_queue_lag_seconds{queue="probe.limit"} 0');
    expect(shown).toMatch(/causeway_queue_lag_seconds\{queue="probe.run"\} 0\.\d+/);
    release();
    await runs.ended('last');
    expect(await metrics.registry.metrics()).toContain('causeway_queue_jobs{queue="probe.run",state="waiting"} 0');
  });

  it('begin no more jobs a second than the setting allows, with all workers together', async () => {
    const runs = new Runs();
    const limit = { WALLET_SYNC_PER_SECOND: '5' };
    const [{ jobs }] = await Promise.all([worker({ runs }, limit), worker({ runs, name: 'two' }, limit)]);
    const keys = Array.from({ length: 15 }, (_, n) => `limited-${n}`);
    await jobs.enqueueAll(
      LimitedJob,
      keys.map((key) => ({ id: key, payload: { key } })),
    );
    await until('all have run', () => runs.all.filter(({ ended }) => ended).length === keys.length);
    const times = runs.all.map(({ startedAt }) => startedAt);
    // 15 jobs at 5 a second: the last five begin in the third second. With a limit of 5 for each of the two workers,
    // the last five would begin one second earlier.
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(1_500);
  });
}

function testClocks({ worker }: Bench): void {
  it('run no job on a host whose clock is wrong, and run the job when it is enqueued again later', async () => {
    const { app, jobs, runs, log } = await worker();
    const clock = app.get(DatabaseClock, { strict: false });
    const requireSteadyHost = clock.requireSteadyHost.bind(clock);
    clock.requireSteadyHost = () => Promise.reject(new HostClockDiffers(3_600_000, 5_000));
    await jobs.enqueue(ProbeJob, 'due', { key: 'due' });
    await until('the job has failed', () => log.some((line) => line.includes('ahead of the database')));
    expect(runs.of('due')).toEqual([]);
    clock.requireSteadyHost = requireSteadyHost;
    await until('the job runs', async () => {
      await jobs.enqueue(ProbeJob, 'due', { key: 'due' });
      return runs.of('due').length > 0;
    });
  });

  it('run a scheduled job again when a clock that was ahead had postponed its next run', async () => {
    const { jobs, runs, app } = await worker();
    const queue = app
      .get(Queues, { strict: false })
      .all()
      .find(({ name }) => name === ProbeJob.name);
    // BullMQ computes the next run from the clock of the worker that took the run before.
    const later = { every: EVERY_MS, startDate: Date.now() + 3_600_000 };
    await queue?.upsertJobScheduler('ticker_d', later, { name: ProbeJob.name, data: { key: 'tick' } });
    jobs.schedule(ProbeJob, 'ticker:d', EVERY_MS, { key: 'tick' });
    await runs.ended('tick', 2);
  });
}

function testSchedules(bench: Bench): void {
  const { worker } = bench;
  it('run a scheduled job at once and then periodically, once for all workers', async () => {
    const runs = new Runs();
    const started = await Promise.all([
      worker({ runs }),
      worker({ runs, name: 'two' }),
      worker({ runs, name: 'three' }),
    ]);
    for (const { jobs } of started) jobs.schedule(ProbeJob, 'ticker:a', EVERY_MS, { key: 'tick' });
    await runs.ended('tick', TICKS);
    const times = runs.of('tick').map(({ startedAt }) => startedAt);
    // A busy machine may run a job late and the next one on time, so the period is measured over all runs.
    const beats = ((times[TICKS - 1] ?? 0) - (times[0] ?? 0)) / EVERY_MS;
    expect(beats).toBeGreaterThan(TICKS - 3);
    expect(beats).toBeLessThan(TICKS + 2);
  });

  it('get their schedules back and accept new jobs after they have lost all data', async () => {
    const { jobs, runs } = await worker();
    jobs.schedule(ProbeJob, 'ticker:b', EVERY_MS, { key: 'tick' });
    const held = gate();
    runs.script('running', () => held.opened);
    await jobs.enqueue(ProbeJob, 'running', { key: 'running' });
    await Promise.all([runs.ended('tick', 2), runs.begun('running')]);
    await bench.server.eraseData();
    const before = runs.of('tick').length;
    await runs.ended('tick', before + 3);
    // The erased job still runs. Its id can be enqueued again, because the queue no longer knows the job.
    await jobs.enqueue(ProbeJob, 'running', { key: 'running' });
    held.open();
    await runs.ended('running', 2);
  });

  it('continue by themselves after an outage of the server, with few log lines', async () => {
    const { jobs, runs, log } = await worker();
    jobs.schedule(ProbeJob, 'ticker:c', EVERY_MS, { key: 'tick' });
    await runs.ended('tick');
    await bench.server.interrupt();
    await bench.outage();
    await expect(jobs.enqueue(ProbeJob, 'meanwhile', { key: 'meanwhile' })).rejects.toThrow();
    await bench.server.restore();
    const backAt = Date.now();
    const before = runs.of('tick').length;
    await runs.ended('tick', before + 3);
    expect(Date.now() - backAt).toBeLessThan(RECOVERY_MAX_MS);
    await until('a new job is taken', async () => {
      await jobs.enqueue(ProbeJob, 'after', { key: 'after' }).catch(() => undefined);
      return runs.of('after').length > 0;
    });
    expect(log.length).toBeLessThan(LINES_MAX);
  });

  it('let a process end while the server is unreachable', async () => {
    const harness = await worker();
    await bench.server.interrupt();
    await bench.outage();
    const leftAt = Date.now();
    await harness.close();
    expect(Date.now() - leftAt).toBeLessThan(END_MAX_MS);
    await bench.server.restore();
  });
}

function testProcesses({ worker }: Bench): void {
  it('let a running job finish before the process ends', async () => {
    const harness = await worker();
    const db = harness.app.get(Database, { strict: false });
    harness.runs.script('long', () => db.query('select pg_sleep(0.3)').then(() => undefined));
    await harness.jobs.enqueue(ProbeJob, 'long', { key: 'long' });
    await harness.runs.begun('long');
    await harness.close();
    expect(harness.runs.count('long')).toBe(1);
    expect(harness.errors).toEqual([]);
  });

  it('keep a process from starting without a processor for a job in use, and name the file to write', async () => {
    await expect(worker({ processors: [LimitProbeProcessor] })).rejects.toThrow(
      'job probe.run has 0 processors and needs exactly one: libs/probe/src/run-probe.processor.ts',
    );
  });

  it('keep a process from starting with two processors for one job', async () => {
    const processors = [RunProbeProcessor, LimitProbeProcessor, SecondProbeProcessor];
    await expect(worker({ processors })).rejects.toThrow('job probe.run has 2 processors');
  });
}
