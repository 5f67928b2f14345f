import type { ProjectIdentity } from '#access';
import { QueueModule } from '#platform/queue';
import { testOverrides } from '#platform/config';
import { DeleteWallet } from '../deleting/delete-wallet.js';
import { connectedWallet } from '../testing/connected-wallet.js';
import { createWalletHarness, type WalletHarness } from '../testing/wallet-harness.js';
import type { Wallet } from '../wallets/wallet.entity.js';
import { SweepWallets } from './sweep-wallets.js';
import { SyncWalletJob } from './sync.jobs.js';

const BATCH = 5;
const LEASE_MS = 8_000;
const MINUTE_MS = 60_000;

describe('SweepWallets', () => {
  let harness: WalletHarness;
  let sweep: SweepWallets;
  let project: ProjectIdentity;

  beforeAll(async () => {
    harness = await createWalletHarness({
      imports: [QueueModule.forWorker(), QueueModule.forJobs(SyncWalletJob)],
      providers: [SweepWallets],
      settings: testOverrides({ WALLET_SYNC_BATCH: BATCH, QUEUE_LEASE_MS: LEASE_MS }),
    });
    sweep = harness.get(SweepWallets);
    project = await harness.project('test');
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    await loseJobs();
    await harness.db.query(`update wallets set deleted_at = now() where deleted_at is null`);
  });

  /** A wallet that has been due for `ms`. */
  async function overdue(ms: number): Promise<Wallet> {
    const wallet = await connectedWallet(harness.db, project);
    await setDue(wallet, -ms);
    return wallet;
  }

  const setDue = (wallet: Wallet, inMs: number): Promise<unknown> =>
    harness.db.query(`update wallets set next_sync_at = $2 where id = $1`, [
      wallet.id,
      new Date(harness.clock.now().getTime() + inMs),
    ]);

  /** The wallets of the waiting jobs. */
  async function queued(): Promise<string[]> {
    const jobs = await harness.db.query<{ wallet: string }>(
      `select data->>'walletId' as wallet from bullmq.job where queue = $1 and state = 'waiting'`,
      [SyncWalletJob.name],
    );
    return jobs.map(({ wallet }) => wallet);
  }

  async function loseJobs(): Promise<void> {
    await harness.db.query(`delete from bullmq.job`);
    await harness.db.query(`delete from bullmq.dedup`);
  }

  it('takes wallets that are due, and no others', async () => {
    const due = await overdue(1);
    await setDue(await connectedWallet(harness.db, project), MINUTE_MS);
    const deleted = await overdue(1);
    await harness.get(DeleteWallet).execute(project, deleted.externalId);
    expect(await sweep.execute()).toBe(1);
    expect(await queued()).toEqual([due.id]);
  });

  it('takes the longest overdue first, and at most as many as may wait', async () => {
    const wallets: Wallet[] = [];
    for (let n = 0; n < BATCH + 3; n++) wallets.push(await overdue((n + 1) * MINUTE_MS));
    const longest = wallets.slice(3).map(({ id }) => id);
    expect(await sweep.execute()).toBe(BATCH);
    expect((await queued()).sort()).toEqual(longest.sort());
    expect(await sweep.execute()).toBe(0);
    await loseJobs();
    expect(await sweep.execute()).toBe(3);
  });

  it('takes a lost job again when its lease is over, and not before', async () => {
    const wallet = await overdue(1);
    await sweep.execute();
    await loseJobs();
    expect(await sweep.execute()).toBe(0);
    harness.clock.advance(LEASE_MS);
    expect(await sweep.execute()).toBe(1);
    expect(await queued()).toEqual([wallet.id]);
  });

  it('makes no second job for a wallet whose job is waiting', async () => {
    const wallet = await overdue(1);
    await sweep.execute();
    harness.clock.advance(LEASE_MS);
    expect(await sweep.execute()).toBe(1);
    expect(await queued()).toEqual([wallet.id]);
  });

  it('shares the wallets with other workers', async () => {
    for (let n = 0; n < BATCH; n++) await overdue(1);
    const taken = await Promise.all([sweep.execute(), sweep.execute(), sweep.execute()]);
    expect(taken.reduce((sum, count) => sum + count, 0)).toBe(BATCH);
    expect(new Set(await queued()).size).toBe(BATCH);
  });
});
