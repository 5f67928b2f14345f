import { Clock } from '#platform/clock';
import { loadConfig } from '#platform/config';
import type { Database } from '#platform/database';
import { Metrics } from '#platform/metrics';
import { capturedLog, ManualClock, TestDatabaseClock, until } from '#platform/testing';
import { PeriodicTasks } from './periodic-tasks.js';

const PAUSES = 20;

/** A clock whose pauses take no time. The twentieth pause lasts until the periodic tasks are stopped. */
class PauseCounter extends Clock {
  private pauses = 0;
  private reach = (): void => undefined;
  readonly reached = new Promise<void>((resolve) => (this.reach = resolve));

  override async sleep(_ms: number, signal?: AbortSignal): Promise<void> {
    this.pauses += 1;
    if (this.pauses < PAUSES) return;
    this.reach();
    if (signal?.aborted) return;
    await new Promise((resolve) => signal?.addEventListener('abort', resolve));
  }
}

/** The database's clock of a host. The host's wall clock is right until a test changes its `wallErrorMs`. */
const databaseClockOf = (host: ManualClock): TestDatabaseClock =>
  new TestDatabaseClock({} as Database, host, loadConfig({}));

describe('due work', () => {
  it("waits while the clock of the host differs from the database's", async () => {
    const host = new ManualClock();
    const { logger, lines } = capturedLog();
    const periodicTasks = new PeriodicTasks(host, databaseClockOf(host), logger, new Metrics());
    let [runs, otherRuns] = [0, 0];
    host.wallErrorMs = 3_600_000;
    periodicTasks.startDueWork('sweep of wallets', 1_000, () => Promise.resolve(runs++));
    periodicTasks.start('heartbeat', 1_000, () => Promise.resolve(otherRuns++));
    await until('other tasks have run often', () => otherRuns > PAUSES);
    expect(runs).toBe(0);
    expect(lines).toMatchObject([{ name: 'sweep of wallets', failures: 1 }]);
    host.wallErrorMs = 0;
    await until('the work runs', () => runs > 0);
    host.wallErrorMs = -3_600_000;
    const before = runs;
    const seen = otherRuns;
    await until('other tasks have run often', () => otherRuns > seen + PAUSES);
    expect(runs - before).toBeLessThanOrEqual(1);
    await periodicTasks.beforeApplicationShutdown();
  });
});

describe('the log of periodic tasks', () => {
  it('has one warning without a stack for all tasks that fail at an unreachable database', async () => {
    const { logger, lines } = capturedLog();
    const clock = new PauseCounter();
    const periodicTasks = new PeriodicTasks(clock, databaseClockOf(new ManualClock()), logger, new Metrics());
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
    for (const name of ['sweep of orders', 'sweep of wallets']) {
      periodicTasks.start(name, 1_000, () => Promise.reject(refused));
    }
    await clock.reached;
    await periodicTasks.beforeApplicationShutdown();
    expect(lines).toMatchObject([{ level: 40, msg: 'a periodic task failed', name: 'sweep of orders', failures: 1 }]);
    expect(lines[0]).not.toHaveProperty('err');
  });

  it('has the stack of a fault in the task once while the fault repeats', async () => {
    const { logger, lines } = capturedLog();
    const clock = new PauseCounter();
    const periodicTasks = new PeriodicTasks(clock, databaseClockOf(new ManualClock()), logger, new Metrics());
    periodicTasks.start('sweep of orders', 1_000, () => Promise.reject(new TypeError('x is not a function')));
    await clock.reached;
    await periodicTasks.beforeApplicationShutdown();
    expect(lines).toMatchObject([{ level: 50, name: 'sweep of orders', err: { type: 'TypeError' } }]);
  });
});

describe('the metric of failing tasks', () => {
  it('is the time since the first of the consecutive failures, and 0 after a success', async () => {
    const clock = new ManualClock();
    const metrics = new Metrics();
    const periodicTasks = new PeriodicTasks(clock, databaseClockOf(clock), capturedLog().logger, metrics);
    const seen: (number | undefined)[] = [];
    periodicTasks.start('sweep of orders', 60_000, async () => {
      const metric = await metrics.registry.getSingleMetric('causeway_periodic_task_failing_seconds')?.get();
      const ofTask = metric?.values.find(({ labels }) => labels.task === 'sweep of orders');
      seen.push(ofTask?.value);
      if (seen.length < 4) throw new Error('permission denied');
    });
    await until('the task has run six times', () => seen.length >= 6);
    await periodicTasks.beforeApplicationShutdown();
    expect(seen.slice(0, 6)).toEqual([0, 60, 120, 180, 0, 0]);
  });
});
