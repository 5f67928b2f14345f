import type { ProjectIdentity } from '#access';
import { QueueModule } from '#platform/queue';
import { testOverrides } from '#platform/config';
import { grantedWallet, grantOf } from '../testing/granted-wallet.js';
import { authorizedAs } from '../testing/scripted-authorizations.js';
import { createWalletHarness, type WalletHarness } from '../testing/wallet-harness.js';
import type { Wallet } from '../wallets/wallet.entity.js';
import { RefreshGrantJob } from './grants.jobs.js';
import { RefreshGrant } from './refresh-grant.js';
import { RefreshGrantProcessor } from './refresh-grant.processor.js';
import { SweepGrants } from './sweep-grants.js';

const BATCH = 5;
const LEASE_MS = 8_000;
const AHEAD_MS = 300_000;
const HOUR_MS = 3_600_000;

describe('the sweep of grants', () => {
  let harness: WalletHarness;
  let sweep: SweepGrants;
  let project: ProjectIdentity;

  beforeAll(async () => {
    harness = await createWalletHarness({
      imports: [QueueModule.forWorker(), QueueModule.forJobs(RefreshGrantJob)],
      providers: [SweepGrants],
      settings: testOverrides({
        GRANT_SWEEP_BATCH: BATCH,
        QUEUE_LEASE_MS: LEASE_MS,
        GRANT_REFRESH_AHEAD_SECONDS: AHEAD_MS / 1_000,
      }),
    });
    sweep = harness.get(SweepGrants);
    project = await harness.project('test');
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    harness.authorizations.reset();
    await harness.db.query(`delete from wallet_grants`);
    await harness.db.query(`delete from bullmq.job`);
    await harness.db.query(`delete from bullmq.dedup`);
  });

  const connect = (accessLivesMs: number | null): Promise<Wallet> => grantedWallet(harness, project, { accessLivesMs });

  async function queued(): Promise<{ walletId: string; revision: string }[]> {
    const jobs = await harness.db.query<{ data: { walletId: string; revision: string } }>(
      `select data from bullmq.job where queue = $1 and state = 'waiting'`,
      [RefreshGrantJob.name],
    );
    return jobs.map(({ data }) => data);
  }

  it('takes grants some time before their access tokens expire, and grants without an expiry after a day', async () => {
    const wallet = await connect(HOUR_MS);
    await connect(2 * HOUR_MS);
    const unknown = await connect(null);
    expect(await sweep.execute()).toBe(0);
    harness.clock.advance(HOUR_MS - AHEAD_MS);
    expect(await sweep.execute()).toBe(1);
    expect(await queued()).toEqual([{ walletId: wallet.id, revision: (await grantOf(harness, wallet))?.revision }]);
    await harness.db.query(`delete from wallet_grants where wallet_id <> $1`, [unknown.id]);
    harness.clock.advance(23 * HOUR_MS);
    expect(await sweep.execute()).toBe(0);
    harness.clock.advance(HOUR_MS);
    expect(await sweep.execute()).toBe(1);
  });

  it('takes no grant twice within a lease, and takes the grant of a lost job again after the lease', async () => {
    const wallet = await connect(-1);
    expect([await sweep.execute(), await sweep.execute()]).toEqual([1, 0]);
    await harness.db.query(`delete from bullmq.job`);
    await harness.db.query(`delete from bullmq.dedup`);
    harness.clock.advance(LEASE_MS);
    expect(await sweep.execute()).toBe(1);
    expect((await queued()).map(({ walletId }) => walletId)).toEqual([wallet.id]);
  });

  it('takes at most one batch of grants at once', async () => {
    for (let count = 0; count <= BATCH; count++) await connect(-1);
    expect(await sweep.execute()).toBe(BATCH);
    expect(await sweep.execute()).toBe(0);
  });

  it('makes a job that renews the tokens once, even when it runs twice', async () => {
    const wallet = await connect(-1);
    await sweep.execute();
    const [data] = await queued();
    if (data === undefined) throw new Error('no job');
    harness.authorizations.onRefresh = () =>
      authorizedAs('second', { accessExpiresAt: new Date(harness.clock.now().getTime() + HOUR_MS) });
    const processor = new RefreshGrantProcessor(harness.get(RefreshGrant));
    for (let run = 0; run < 2; run++) await processor.process({ data } as Parameters<typeof processor.process>[0]);
    expect(harness.authorizations.refreshed).toEqual(['refresh-first']);
    expect(((await grantOf(harness, wallet))?.next_refresh_at?.getTime() ?? 0) > harness.clock.now().getTime()).toBe(
      true,
    );
  });
});
