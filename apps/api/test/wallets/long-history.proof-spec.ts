import { byExtent, until } from '#platform/testing';
import { BuiltProcess } from '../support/built-process.js';
import { TestApp } from '../support/test-app.js';

/** Upper bounds, because other test files share the machine. */
const TIMEOUT_MS = 1_200_000;
const PART_TIMEOUT_MS = 500_000;
const RECORDS = byExtent({
  short: { deposits: 1_000, withdrawals: 1_000 },
  medium: { deposits: 2_500, withdrawals: 2_500 },
  long: { deposits: 10_000, withdrawals: 10_000 },
});
/** Number of records after which a worker is killed. */
const KILL_AFTER = byExtent({ short: [500], medium: [500, 1_500, 3_000], long: [1_000, 6_000, 12_000] });

/** The workers are separate processes on the database and exchange of the test. The test cannot move their clocks. */
describe('a long history', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.create({
      env: { WORKER_PORT: '0', METRICS_PORT: '0', WORKER_METRICS_PORT: '0' },
      overrides: {
        TRANSACTION_SYNC_SWEEP_MS: 50,
        TRANSACTION_SYNC_PAGE_PAUSE_MS: 0,
        TRANSACTION_SYNC_PAGES: 20,
        // Longer than one step of the reading takes on a machine under load.
        QUEUE_LEASE_MS: 3_000,
      },
    });
  });
  afterAll(() => app.close());

  /** Reads the progress from the row, because requests to the API would take more CPU than the workers do. */
  async function progress(): Promise<{ state: string; records: number } | undefined> {
    const [row] = await app.db.query<{ progress: { state: string; records: number } | null }>(
      `select sync_progress as progress from wallets where external_id = 'long'`,
    );
    return row?.progress ?? undefined;
  }

  const survivesKills = async () => {
    const account = await app.sandbox.open({ balances: {} });
    await app.sandbox.makeHistory(account, { ...RECORDS, from: new Date('2020-01-01'), to: new Date('2026-01-01') });
    // Each page takes 50 ms, so that no worker reads the rest of the history between a poll of the test and the kill.
    for (const endpoint of ['DepositStatus', 'WithdrawStatus']) {
      await app.sandbox.arm({ endpoint, fault: 'latency', delayMs: 50, count: null });
    }
    const http = (await app.project()).http.with({ 'x-svc-wallet-id': 'long' });
    const { apiKey, apiSecret } = account;
    await http.post('/v0/wallet/kraken/connect', { body: { apiKey, apiSecret } });

    for (const least of KILL_AFTER) {
      const worker = BuiltProcess.start('worker', app.env);
      const isPartlyRead = async (): Promise<boolean> => ((await progress())?.records ?? 0) >= least;
      await until('the history is partly read', isPartlyRead, PART_TIMEOUT_MS);
      worker.child.kill('SIGKILL');
      await worker.exitCode();
      expect((await progress())?.state).toBe('reading');
    }
    const worker = BuiltProcess.start('worker', app.env);
    await until('the history is complete', async () => (await progress())?.state === 'complete', PART_TIMEOUT_MS);
    worker.child.kill('SIGTERM');
    expect(await worker.exitCode()).toBe(0);

    expect(await http.get('/v0/wallet')).toMatchObject({ body: { syncProgress: { state: 'complete' } } });
    const records = await app.sandbox.records(account);
    const listed = new Set([...records.deposits, ...records.withdrawals].map(({ refid }) => refid));
    const rows = await app.db.query<{ id: string }>(
      `select exchange_transaction_id as id from transactions where external_wallet_id = 'long'`,
    );
    expect(listed.size).toBe(RECORDS.deposits + RECORDS.withdrawals);
    expect(rows).toHaveLength(listed.size);
    expect(new Set(rows.map(({ id }) => id))).toEqual(listed);
  };
  it(
    'is stored completely, each record once, although workers are killed while they read it',
    survivesKills,
    TIMEOUT_MS,
  );
});
