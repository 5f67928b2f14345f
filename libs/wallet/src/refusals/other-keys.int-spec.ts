import type { ProjectIdentity } from '#access';
import { DAY_MS } from '#platform/clock';
import { RefusalHarness, type KeyAnswer } from '../testing/refusal-harness.js';
import type { Wallet } from '../wallets/wallet.entity.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

describe('a wallet whose key is refused, compared with other keys', () => {
  let refusals: RefusalHarness;
  let project: ProjectIdentity;
  let wallet: Wallet;
  let key: string;

  beforeAll(async () => {
    refusals = await RefusalHarness.create();
  });
  afterAll(() => refusals.harness.close());
  beforeEach(async () => {
    project = await refusals.begin();
    wallet = await refusals.connect(project);
    key = refusals.lastKey;
    refusals.answers.set(key, 'credentials_invalid');
  });

  const state = (): Promise<string> => refusals.stateOf(wallet);

  /** Connects another wallet, whose key gets this response. */
  async function another(answer: KeyAnswer, of = project): Promise<Wallet> {
    const other = await refusals.connect(of);
    refusals.answers.set(refusals.lastKey, answer);
    return other;
  }

  /**
   * Lets the exchange refuse the wallet for this long. Before each check, calls the exchange with the keys of the other
   * wallets, as their background refreshes do.
   */
  async function refuseFor(ms: number, others: readonly Wallet[] = []): Promise<number> {
    await refusals.call(wallet);
    const askAll = async (): Promise<void> => {
      for (const other of others) await refusals.call(other, false).catch(() => undefined);
    };
    return refusals.checkFor(wallet, ms, askAll);
  }

  it('is kept as long as the exchange refuses the other keys, too', async () => {
    const others = [await another('credentials_invalid'), await another('credentials_invalid')];
    await refuseFor(30 * DAY_MS, others);
    expect(await state()).toBe('flagged');
  });

  it('is kept when the exchange refuses half of the other keys', async () => {
    const others = [await another('credentials_invalid'), await another('ok')];
    await refuseFor(5 * HOUR_MS, others);
    expect(await state()).toBe('flagged');
  });

  it('is deleted when the exchange accepts more of the other keys than it refuses', async () => {
    const others = [await another('credentials_invalid'), await another('ok'), await another('ok')];
    expect(await refuseFor(5 * HOUR_MS, others)).toBeLessThan(HOUR_MS + MINUTE_MS);
    expect(await state()).toBe('deleted');
  });

  it('is kept when the exchange accepted the other key before the last refusals, and not since', async () => {
    const other = await another('ok');
    await refusals.call(wallet);
    await refusals.call(other, false);
    refusals.answers.set(refusals.lastKey, 'unavailable');
    await refuseFor(30 * DAY_MS, [other]);
    expect(await state()).toBe('flagged');
  });

  it('is deleted when the exchange accepts the only other key; a second wallet with the refused key does not count', async () => {
    const sameKey = await refusals.connect(project, { key });
    await refuseFor(HOUR_MS + MINUTE_MS, [sameKey]);
    expect(await state()).toBe('flagged');
    const other = await another('ok');
    await refuseFor(5 * HOUR_MS, [sameKey, other]);
    expect(await state()).toBe('deleted');
  });

  it('is kept when one of two other keys is refused, although two wallets have the accepted key', async () => {
    const others = [await another('ok'), await refusals.connect(project, { key: refusals.lastKey })];
    others.push(await another('credentials_invalid'));
    await refuseFor(5 * HOUR_MS, others);
    expect(await state()).toBe('flagged');
  });

  it('is kept when the exchange accepts the same key for another wallet', async () => {
    const others = [await another('ok'), await another('ok')];
    const sameKey = await refusals.connect(project, { key });
    refusals.harness.exchanges.balances = async ({ credentialId, credentials }) => {
      if (credentialId.startsWith(sameKey.id)) return [];
      return refusals.answer(credentials.apiKey.reveal());
    };
    await refuseFor(5 * HOUR_MS, [sameKey, ...others]);
    expect(await state()).toBe('flagged');
  });

  it.each<[string, () => Promise<Wallet>]>([
    ['of another exchange', () => refusals.connect(project, { exchange: 'gemini' })],
    ['of a test project', async () => another('ok', await refusals.harness.project('test'))],
  ])('is kept when the only other key is one %s', async (_what, connect) => {
    await refuseFor(5 * HOUR_MS, [await connect()]);
    expect(await state()).toBe('flagged');
  });

  it('is deleted when the exchange accepts a key of another live project', async () => {
    const other = await another('ok', await refusals.harness.project('live'));
    await refuseFor(5 * HOUR_MS, [other]);
    expect(await state()).toBe('deleted');
  });

  it('is kept when the signature of the only other key is refused, because that proves nothing', async () => {
    const other = await another('invalid_signature');
    await refuseFor(30 * DAY_MS, [other]);
    expect(await state()).toBe('flagged');
  });

  it('is deleted after 24 times the usual time when there is no other key', async () => {
    expect(await refuseFor(DAY_MS - MINUTE_MS)).toBeGreaterThan(12 * HOUR_MS);
    expect(await state()).toBe('flagged');
    await refusals.check(wallet);
    expect(await state()).toBe('deleted');
  });

  it.each([
    ['deleted when 19 other wallets have the same key, and no wallet has another', 19, 'deleted'],
    [
      'kept when 20 other wallets have the same key, because a wallet that is not compared may have another',
      20,
      'flagged',
    ],
  ])('is %s', async (_rule, wallets, expected) => {
    for (let count = 0; count < wallets; count++) await refusals.connect(project, { key });
    await refuseFor(DAY_MS - MINUTE_MS);
    await refusals.check(wallet);
    expect(await state()).toBe(expected);
  });

  it('is deleted by the tenth refusal when there is no other key and the first checks came late', async () => {
    await refusals.call(wallet);
    refusals.harness.clock.advance(2 * DAY_MS);
    for (let count = 2; count < 10; count++) {
      await refusals.check(wallet);
      expect([await state(), (await refusals.rowOf(wallet))?.refusals]).toEqual(['flagged', count]);
    }
    await refusals.check(wallet);
    expect(await state()).toBe('deleted');
  });

  it('is deleted after 24 times the usual time when the only other key was refused long before', async () => {
    const dead = await another('credentials_invalid');
    await refusals.call(dead, false);
    refusals.harness.clock.advance(2 * HOUR_MS);
    await refuseFor(DAY_MS - MINUTE_MS, [dead]);
    expect(await state()).toBe('flagged');
    await refusals.check(wallet);
    expect(await state()).toBe('deleted');
  });

  it('makes some other wallets due for a refresh while its deletion is planned', async () => {
    const others: Wallet[] = [];
    for (let count = 0; count < 5; count++) others.push(await another('ok'));
    for (const other of others) await refusals.call(other);
    const due = async (): Promise<number> => {
      const rows = await refusals.harness.db.query(`select from wallets where id = any($1) and next_sync_at <= $2`, [
        others.map(({ id }) => id),
        refusals.harness.clock.now(),
      ]);
      return rows.length;
    };
    await refusals.harness.db.query(`update wallets set next_sync_at = $2 where id = any($1)`, [
      others.map(({ id }) => id),
      new Date(refusals.harness.clock.now().getTime() + DAY_MS),
    ]);
    await refusals.call(wallet, false);
    await refusals.check(wallet);
    expect(await due()).toBe(0);
    await refusals.call(wallet, true);
    await refusals.check(wallet);
    expect(await due()).toBe(3);
  });
});
