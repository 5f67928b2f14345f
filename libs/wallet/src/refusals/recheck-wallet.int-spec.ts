import pg from 'pg';
import type { ProjectIdentity } from '#access';
import type { ExchangeErrorKind } from '#exchange';
import { DAY_MS } from '#platform/clock';
import { Metrics } from '#platform/metrics';
import { DeleteWallet } from '../deleting/delete-wallet.js';
import { PingWallet } from '../sessions/ping-wallet.js';
import { RefusalHarness } from '../testing/refusal-harness.js';
import { WalletSessions } from '../sessions/wallet-sessions.service.js';
import type { Wallet } from '../wallets/wallet.entity.js';
import { RecheckWallet } from './recheck-wallet.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

const inconclusive: ExchangeErrorKind[] = [
  'unavailable',
  'rate_limited',
  'ip_not_allowed',
  'permission_missing',
  'refused',
];

describe('a wallet of a live project whose key is refused', () => {
  let refusals: RefusalHarness;
  let project: ProjectIdentity;
  let wallet: Wallet;
  let key: string;
  let other: Wallet;
  let otherKey: string;

  beforeAll(async () => {
    refusals = await RefusalHarness.create();
  });
  afterAll(() => refusals.harness.close());
  beforeEach(async () => {
    project = await refusals.begin();
    other = await refusals.connect(project);
    otherKey = refusals.lastKey;
    wallet = await refusals.connect(project);
    key = refusals.lastKey;
    refusals.answers.set(key, 'credentials_invalid');
  });

  /** Calls the exchange with the key of the other wallet, as a background refresh does. */
  const askOther = (): Promise<unknown> => refusals.call(other, false);
  const checkFor = (ms: number): Promise<number> => refusals.checkFor(wallet, ms, askOther);
  const state = (): Promise<string> => refusals.stateOf(wallet);

  it('is flagged by the first call and checked after pauses that double', async () => {
    await refusals.call(wallet);
    const minutes: number[] = [];
    for (let check = 0; check < 8; check++) minutes.push(Math.round((await refusals.check(wallet)) / MINUTE_MS));
    // The sixth pause is shorter than 32 minutes, because the wallet may be deleted an hour after the first refusal.
    // It is not deleted then, because the exchange has not responded to the other key.
    expect(minutes).toEqual([1, 2, 4, 8, 16, 29, 64, 128]);
    expect(await state()).toBe('flagged');
  });

  it('is deleted after an hour of refusals while another key is accepted, and not before', async () => {
    const result = await refusals.call(wallet);
    const plannedAt = Date.parse(result?.deletionAt ?? '');
    expect(await checkFor(HOUR_MS - MINUTE_MS)).toBeGreaterThan(30 * MINUTE_MS);
    expect(await state()).toBe('flagged');
    await askOther();
    await refusals.check(wallet);
    expect(await state()).toBe('deleted');
    expect(refusals.harness.clock.now().getTime() - plannedAt).toBeLessThan(MINUTE_MS);
    expect(await refusals.harness.credentialId(wallet.id)).toBeNull();
    expect(await refusals.eventsOf(wallet)).toEqual(['wallet.credentials.invalid', 'wallet.deleted']);
  });

  it('is not deleted by many calls in an hour, nor by fewer than three refusals', async () => {
    await refusals.call(wallet);
    for (let call = 0; call < 20; call++) await refusals.call(wallet);
    refusals.harness.clock.advance(2 * HOUR_MS);
    await refusals.call(wallet);
    await askOther();
    await refusals.check(wallet);
    expect([await state(), (await refusals.rowOf(wallet))?.refusals]).toEqual(['flagged', 2]);
    await askOther();
    await refusals.check(wallet);
    expect(await state()).toBe('deleted');
  });

  it('is valid again after an accepted check, and the next refusal begins a new hour', async () => {
    await refusals.call(wallet);
    await checkFor(50 * MINUTE_MS);
    refusals.answers.set(key, 'ok');
    await refusals.check(wallet);
    expect([await state(), await refusals.rowOf(wallet)]).toEqual(['valid', null]);
    refusals.answers.set(key, 'credentials_invalid');
    await refusals.call(wallet);
    expect(await checkFor(59 * MINUTE_MS)).toBeGreaterThan(30 * MINUTE_MS);
    expect(await state()).toBe('flagged');
    expect(await refusals.eventsOf(wallet)).toEqual([
      'wallet.credentials.invalid',
      'wallet.credentials.valid',
      'wallet.credentials.invalid',
    ]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a ping that succeeds', () => refusals.harness.get(PingWallet).execute(project, wallet.externalId)],
    ['a refresh that succeeds', () => refusals.call(wallet)],
    ['connecting it again', () => refusals.harness.replaceCredentials(project, wallet)],
  ])('is valid again after %s', async (_what, succeed) => {
    await refusals.call(wallet);
    refusals.answers.set(key, 'ok');
    await succeed();
    expect([await state(), await refusals.rowOf(wallet)]).toEqual(['valid', null]);
    expect((await refusals.eventsOf(wallet)).at(-1)).toBe('wallet.credentials.valid');
  });

  it('ends its series of refusals at any other call that succeeds, and is due for a check at once', async () => {
    await refusals.call(wallet);
    await refusals.harness.get(WalletSessions).use(wallet, { autoDelete: true }, async () => 'an order was placed');
    expect(await refusals.rowOf(wallet)).toMatchObject({ refused_since: null, refusals: 0 });
    expect(await refusals.check(wallet)).toBe(0);
  });

  it.each(inconclusive)('keeps its flag and its count after a response that proves nothing: %s', async (kind) => {
    await refusals.call(wallet);
    refusals.answers.set(key, kind);
    await checkFor(2 * HOUR_MS);
    expect([await state(), await refusals.rowOf(wallet)]).toMatchObject(['flagged', { refusals: 1, checks: 6 }]);
  });

  it('is not deleted for a refused signature, which also ends the series', async () => {
    await refusals.call(wallet);
    await checkFor(50 * MINUTE_MS);
    refusals.answers.set(key, 'invalid_signature');
    await checkFor(3 * DAY_MS);
    expect([await state(), await refusals.rowOf(wallet)]).toMatchObject([
      'flagged',
      { refused_since: null, refusals: 0 },
    ]);
    expect(await refusals.call(wallet)).toEqual({ walletDeleted: false, deletionAt: null });
  });

  it('is only flagged until a call requests its deletion, and is deleted by a check after that', async () => {
    expect(await refusals.call(wallet, false)).toEqual({ walletDeleted: false, deletionAt: null });
    await checkFor(3 * DAY_MS);
    expect(await state()).toBe('flagged');
    const since = (await refusals.rowOf(wallet))?.refused_since?.getTime() ?? NaN;
    const { deletionAt } = (await refusals.call(wallet, true)) ?? {};
    expect(Date.parse(deletionAt ?? '')).toBeGreaterThan(since + DAY_MS);
    await askOther();
    await refusals.check(wallet);
    expect(await state()).toBe('deleted');
  });

  it('is kept while a hold needs its credentials, and deleted after that', async () => {
    const holder = await refusals.hold(wallet);
    await refusals.call(wallet);
    await checkFor(5 * HOUR_MS);
    expect(await state()).toBe('flagged');
    await refusals.release(wallet, holder);
    await askOther();
    await refusals.check(wallet);
    expect(await state()).toBe('deleted');
  });

  it('is kept, and not checked, when its credentials were replaced', async () => {
    await refusals.call(wallet);
    await checkFor(50 * MINUTE_MS);
    await refusals.harness.replaceCredentials(project, wallet);
    refusals.harness.exchanges.opened = [];
    await refusals.check(wallet);
    expect([await state(), refusals.harness.exchanges.opened]).toEqual(['valid', []]);
  });

  it('is kept when it was valid for a moment during the check that would have deleted it', async () => {
    await refusals.call(wallet);
    await checkFor(HOUR_MS - MINUTE_MS);
    await askOther();
    const ping = refusals.harness.get(PingWallet);
    let asked = 0;
    refusals.onAsked = async () => {
      if (++asked !== 2) return;
      refusals.answers.set(key, 'ok');
      await ping.execute(project, wallet.externalId);
      refusals.answers.set(key, 'credentials_invalid');
    };
    await refusals.check(wallet);
    expect(asked).toBe(3);
    expect(await state()).toBe('valid');
  });

  it('counts only one further refusal when several workers check it at once', async () => {
    await refusals.call(wallet);
    const { clock } = refusals.harness;
    clock.advance(MINUTE_MS);
    const recheck = refusals.harness.get(RecheckWallet);
    await Promise.all([recheck.execute(wallet.id), recheck.execute(wallet.id), recheck.execute(wallet.id)]);
    expect(await refusals.rowOf(wallet)).toMatchObject({ refusals: 2, checks: 1 });
    await recheck.execute(wallet.id);
    expect(await refusals.rowOf(wallet)).toMatchObject({ refusals: 2, checks: 1 });
  });

  it('is deleted even when another process continues the checks', async () => {
    await refusals.call(wallet);
    await checkFor(50 * MINUTE_MS);
    const beside = await RefusalHarness.create({ beside: refusals });
    await askOther();
    await beside.check(wallet);
    await beside.harness.close();
    expect(await state()).toBe('deleted');
  });

  it('is not deleted because of refusals from before a restore of the database', async () => {
    await refusals.call(wallet);
    await checkFor(HOUR_MS - MINUTE_MS);
    const owner = new pg.Client(refusals.harness.database.ownerUrl);
    await owner.connect();
    await owner.query(`update database_epochs set is_original = false, first_seen_at = $1`, [
      refusals.harness.clock.now(),
    ]);
    await askOther();
    await refusals.check(wallet);
    await owner.query(`update database_epochs set is_original = true`);
    await owner.end();
    expect([await state(), (await refusals.rowOf(wallet))?.refusals]).toEqual(['flagged', 1]);
  });

  it('is not deleted, and its refusals do not count, on a host whose clock differs from the database', async () => {
    await refusals.call(wallet);
    await checkFor(HOUR_MS - MINUTE_MS);
    await askOther();
    const before = await refusals.rowOf(wallet);
    refusals.harness.clock.wallErrorMs = 2 * HOUR_MS;
    await refusals.harness.get(RecheckWallet).execute(wallet.id);
    await refusals.call(wallet);
    refusals.harness.clock.wallErrorMs = 0;
    expect(await state()).toBe('flagged');
    expect((await refusals.rowOf(wallet))?.refusals).toBe(before?.refusals);
  });

  it('is not checked after its deletion by a caller, even while a hold keeps its credentials', async () => {
    await refusals.hold(wallet);
    await refusals.call(wallet);
    await refusals.harness.get(DeleteWallet).execute(project, wallet.externalId);
    expect(await refusals.rowOf(wallet)).toBeNull();
    expect(await refusals.harness.credentialId(wallet.id)).not.toBeNull();
    refusals.harness.exchanges.opened = [];
    await refusals.harness.get(RecheckWallet).execute(wallet.id);
    expect(refusals.harness.exchanges.opened).toEqual([]);
    expect((await refusals.eventsOf(wallet)).at(-1)).toBe('wallet.deleted');
  });

  it('is counted in the metrics when it is flagged, checked and deleted', async () => {
    refusals.harness.get(Metrics).registry.resetMetrics();
    await refusals.call(wallet);
    await checkFor(2 * HOUR_MS);
    const text = await refusals.harness.get(Metrics).registry.metrics();
    expect(text).toContain('causeway_wallets_flagged_total{exchange="kraken"} 1');
    // The sixth or the seventh check deletes the wallet. Which one it is depends on the duration of the checks, because
    // the database's clock, which measures the pauses, also runs during a check.
    expect(text).toMatch(/causeway_wallet_rechecks_total\{exchange="kraken",outcome="refused"\} [56]\n/);
    expect(text).toContain('causeway_wallets_deleted_total{exchange="kraken",by="recheck"} 1');
  });

  it('is checked a few times a day while its exchange does not respond', async () => {
    await refusals.call(wallet);
    refusals.answers.set(key, 'unavailable');
    refusals.answers.set(otherKey, 'unavailable');
    await refusals.checkFor(wallet, DAY_MS);
    expect(refusals.harness.exchanges.opened.length).toBeLessThan(20);
  });
});
