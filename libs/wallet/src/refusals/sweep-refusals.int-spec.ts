import type { ProjectIdentity } from '#access';
import { QueueModule } from '#platform/queue';
import { LEASE_MS, RefusalHarness } from '../testing/refusal-harness.js';
import type { Wallet } from '../wallets/wallet.entity.js';
import { RecheckWalletJob } from './recheck.jobs.js';
import { SweepRefusals } from './sweep-refusals.js';

const BATCH = 5;
/**
 * Time after which the first check of a refused wallet is certainly due. The check is due after one minute by the
 * database's clock, and a reading of that clock may be off by 1 s.
 */
const UNTIL_DUE_MS = 62_000;

describe('SweepRefusals', () => {
  let refusals: RefusalHarness;
  let sweep: SweepRefusals;
  let project: ProjectIdentity;

  beforeAll(async () => {
    refusals = await RefusalHarness.create({
      imports: [QueueModule.forWorker(), QueueModule.forJobs(RecheckWalletJob)],
      providers: [SweepRefusals],
      overrides: { WALLET_SYNC_BATCH: BATCH },
    });
    sweep = refusals.harness.get(SweepRefusals);
  });
  afterAll(() => refusals.harness.close());
  beforeEach(async () => {
    project = await refusals.begin();
    await loseJobs();
  });

  async function refused(): Promise<Wallet> {
    const wallet = await refusals.connect(project);
    refusals.answers.set(refusals.lastKey, 'credentials_invalid');
    await refusals.call(wallet);
    return wallet;
  }

  async function queued(): Promise<string[]> {
    const jobs = await refusals.harness.db.query<{ wallet: string }>(
      `select data->>'walletId' as wallet from bullmq.job where queue = $1 and state = 'waiting' order by 1`,
      [RecheckWalletJob.name],
    );
    return jobs.map(({ wallet }) => wallet);
  }

  async function loseJobs(): Promise<void> {
    await refusals.harness.db.query(`delete from bullmq.job`);
    await refusals.harness.db.query(`delete from bullmq.dedup`);
  }

  it('takes refused wallets that are due, and no others', async () => {
    await refusals.connect(project);
    const wallet = await refused();
    expect(await sweep.execute()).toBe(0);
    refusals.harness.clock.advance(UNTIL_DUE_MS);
    await refused();
    expect(await sweep.execute()).toBe(1);
    expect(await queued()).toEqual([wallet.id]);
  });

  it('takes the wallet of a lost job again when its lease is over, and not before', async () => {
    const wallet = await refused();
    refusals.harness.clock.advance(UNTIL_DUE_MS);
    await sweep.execute();
    await loseJobs();
    expect(await sweep.execute()).toBe(0);
    refusals.harness.clock.advance(LEASE_MS);
    expect(await sweep.execute()).toBe(1);
    expect(await queued()).toEqual([wallet.id]);
  });

  it('takes each wallet once when two workers sweep at once, and takes the wallets beyond the batch later', async () => {
    for (let count = 0; count < BATCH + 2; count++) await refused();
    refusals.harness.clock.advance(UNTIL_DUE_MS);
    await Promise.all([sweep.execute(), sweep.execute()]);
    const first = await queued();
    expect(new Set(first).size).toBe(first.length);
    await loseJobs();
    await sweep.execute();
    expect(first.length + (await queued()).length).toBe(BATCH + 2);
  });
});
