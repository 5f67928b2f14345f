import type { ProjectIdentity } from '#access';
import { QueueModule } from '#platform/queue';
import { testOverrides } from '#platform/config';
import { DeleteWallet } from '../deleting/delete-wallet.js';
import { connectedWallet } from '../testing/connected-wallet.js';
import { createWalletHarness, type WalletHarness } from '../testing/wallet-harness.js';
import type { Wallet } from '../wallets/wallet.entity.js';
import { SweepWallets } from './sweep-wallets.js';
import { SyncWalletsJob } from './sync.jobs.js';

const BATCH = 8;
const PER_JOB = 3;
const MINUTE_MS = 60_000;

describe('SweepWallets', () => {
  let harness: WalletHarness;
  let sweep: SweepWallets;
  let project: ProjectIdentity;

  beforeAll(async () => {
    harness = await createWalletHarness({
      imports: [QueueModule.forWorker(), QueueModule.forJobs(SyncWalletsJob)],
      providers: [SweepWallets],
      settings: { WALLET_SYNC_PER_SECOND: String(10 * PER_JOB), ...testOverrides({ WALLET_SYNC_BATCH: BATCH }) },
    });
    sweep = harness.get(SweepWallets);
    project = await harness.project('test');
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    await loseJobs();
    await harness.db.query(`update wallets set deleted_at = now() where deleted_at is null`);
  });

  /** Connects a wallet that is due in `ms`. */
  async function dueIn(ms: number): Promise<Wallet> {
    const wallet = await connectedWallet(harness.db, project);
    await harness.db.query(`update wallets set next_sync_at = $2 where id = $1`, [
      wallet.id,
      new Date(harness.clock.now().getTime() + ms),
    ]);
    return wallet;
  }

  async function waiting(): Promise<number> {
    const [row] = await harness.db.query<{ jobs: number }>(
      `select count(*)::int as jobs from bullmq.job where queue = $1 and state = 'waiting'`,
      [SyncWalletsJob.name],
    );
    return row?.jobs ?? NaN;
  }

  const loseJobs = (): Promise<unknown> => harness.db.query(`delete from bullmq.job`);

  it('makes a job for a wallet that is due, and none for deleted wallets and wallets that are due later', async () => {
    await dueIn(MINUTE_MS);
    const deleted = await dueIn(-1);
    await harness.get(DeleteWallet).execute(project, deleted.externalId);
    await sweep.execute();
    expect(await waiting()).toBe(0);
    await dueIn(-1);
    await sweep.execute();
    expect(await waiting()).toBe(1);
  });

  it('makes jobs for all due wallets, but for at most WALLET_SYNC_BATCH of them in one sweep', async () => {
    for (let n = 0; n <= PER_JOB; n++) await dueIn(-1);
    await sweep.execute();
    expect(await waiting()).toBe(2);
    for (let n = 0; n < BATCH; n++) await dueIn(-1);
    await sweep.execute();
    expect(await waiting()).toBe(Math.ceil(BATCH / PER_JOB));
  });

  it('makes no second job for a wallet whose job waits, and makes a new job when the job was lost', async () => {
    await dueIn(-1);
    await sweep.execute();
    await sweep.execute();
    expect(await waiting()).toBe(1);
    await loseJobs();
    await sweep.execute();
    expect(await waiting()).toBe(1);
  });
});
