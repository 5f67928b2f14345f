import { Clock } from '#platform/clock';
import type { TestOverrides } from '#platform/config';
import { BuiltProcess } from '../../api/test/support/built-process.js';
import { TestApp, type TestProjectWithClient, type TestWallet } from '../../api/test/support/test-app.js';

const POLL_MS = 50;

/** The exchange's endpoint for the balances of an account. */
const BALANCE = 'BalanceEx';

/** Compiled worker processes beside an API in the test's process. They share a database and a sandbox exchange. */
export class WorkerHarness {
  private readonly built: BuiltProcess[] = [];

  private constructor(
    readonly app: TestApp,
    private readonly project: TestProjectWithClient,
  ) {}

  static async start(env: Record<string, string>, overrides: TestOverrides = {}): Promise<WorkerHarness> {
    const ports = { PORT: '0', WORKER_PORT: '0', METRICS_PORT: '0', WORKER_METRICS_PORT: '0' };
    const app = await TestApp.create({ env: { ...ports, EXCHANGE_TIMEOUT_MS: '30000', ...env }, overrides });
    return new WorkerHarness(app, await app.project());
  }

  /** Starts a worker and waits until it is ready. */
  async worker(env: Record<string, string> = {}): Promise<BuiltProcess> {
    const process = BuiltProcess.start('worker', { ...this.app.env, ...env });
    this.built.push(process);
    await process.address();
    return process;
  }

  wallet(): Promise<TestWallet> {
    return this.app.wallet(this.project);
  }

  /** Makes every wallet due; resolves with the database's time of that moment. */
  async makeAllDue(): Promise<Date> {
    const [row] = await this.app.db.query<{ now: Date }>(
      `with due as (update wallets set next_sync_at = now()) select clock_timestamp() as now`,
    );
    if (row === undefined) throw new Error('the database has no time');
    return row.now;
  }

  /**
   * Number of wallets that were due at `since` and have not been refreshed. A wallet whose refresh was running at
   * `since` has an older `last_sync_at`, but its due time has moved, so it is not counted.
   */
  async notRefreshedSince(since: Date): Promise<number> {
    const [row] = await this.app.db.query<{ left: string }>(
      `select count(*) as left from wallets
        where (last_sync_at is null or last_sync_at < $1) and next_sync_at < $1 + interval '1 minute'`,
      [since],
    );
    return Number(row?.left);
  }

  /** Returns when the wallet is due (during a refresh: when the worker's lease ends), and its last refresh. */
  async timesOf({ walletId }: TestWallet): Promise<{ dueAt: Date; refreshedAt: Date | null }> {
    const [row] = await this.app.db.query<{ dueAt: Date; refreshedAt: Date | null }>(
      `select next_sync_at as "dueAt", last_sync_at as "refreshedAt" from wallets where external_id = $1`,
      [walletId],
    );
    if (row === undefined) throw new Error('the wallet does not exist');
    return row;
  }

  /** Waits until every wallet is refreshed, and returns the waiting time in milliseconds. */
  async allRefreshedSince(since: Date, withinMs: number): Promise<number> {
    return this.until('every wallet is refreshed', withinMs, async () => (await this.notRefreshedSince(since)) === 0);
  }

  /** Delays the responses to balance calls, for the next `count` calls or for all. */
  async slowExchange(delayMs: number, count: number | null = null): Promise<void> {
    await this.app.sandbox.arm({ endpoint: BALANCE, fault: 'slow', delayMs, count });
  }

  /** Makes every wallet due. Resolves when the exchange gets another balance call for the account. */
  async isCalled({ account }: TestWallet): Promise<void> {
    const before = await this.app.sandbox.countCalls(account, BALANCE);
    await this.makeAllDue();
    await this.until('the exchange gets a balance call', 15_000, async () => {
      return (await this.app.sandbox.countCalls(account, BALANCE)) > before;
    });
  }

  async until(what: string, withinMs: number, isTrue: () => Promise<boolean>): Promise<number> {
    const clock = new Clock();
    const began = Date.now();
    while (!(await isTrue())) {
      if (Date.now() > began + withinMs) throw new Error(`not within ${withinMs / 1_000} s: ${what}`);
      await clock.sleep(POLL_MS);
    }
    return Date.now() - began;
  }

  /** Kills the workers that still run. */
  async close(): Promise<void> {
    for (const { child } of this.built) child.kill('SIGKILL');
    await Promise.all(this.built.map((process) => process.exitCode()));
    await this.app.close();
  }
}
