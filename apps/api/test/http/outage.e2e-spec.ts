import { until } from '#platform/testing';
import { TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';

interface ErrorBody {
  type: string;
  result?: { walletDeleted: boolean; deletionAt: string | null };
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const BALANCE = '/v0/wallet/withdraw/balance';

/** Kraken refuses a key with `EAPI:Invalid key`: https://docs.kraken.com/api/docs/guides/spot-errors */
const EVERY_KEY_REFUSED = { endpoint: '*', fault: 'revoked_key', count: null } as const;

describe('a wallet of a live project whose key is refused', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let wallet: TestWallet;

  beforeAll(async () => {
    app = await TestApp.create({
      worker: true,
      env: (sandboxUrl) => ({
        // The sandbox exchange takes the place of the real Kraken: wallets of live projects are accounts there.
        EXCHANGE_KRAKEN_URL: sandboxUrl,
        EXCHANGE_TIMEOUT_MS: '15000',
      }),
      overrides: { WALLET_SYNC_SWEEP_MS: 50, QUEUE_LEASE_MS: 500 },
    });
  });
  beforeEach(async () => {
    project = await app.project({ mode: 'live' });
    wallet = await app.wallet(project);
  });
  afterEach(() => app.sandbox.calm());
  afterAll(() => app.close());

  const statusOf = async ({ http }: TestWallet): Promise<'valid' | 'flagged' | 'deleted'> => {
    const { status, body } = await http.get<{ invalidApi: boolean }>('/v0/wallet');
    if (status === 404) return 'deleted';
    return body.invalidApi ? 'flagged' : 'valid';
  };
  const eventsOf = async ({ walletId }: TestWallet): Promise<string[]> => {
    const rows = await app.db.query<{ type: string }>(
      `select type from events where project_id = $1 and subject = $2 and type not like 'wallet.balance%' order by id`,
      [project.projectId, walletId],
    );
    return rows.map(({ type }) => type);
  };
  const checksOf = async ({ walletId }: TestWallet): Promise<number> => {
    const [row] = await app.db.query<{ checks: number }>(
      `select checks from credential_refusals r join wallets w on w.id = r.wallet_id
        where w.project_id = $1 and w.external_id = $2`,
      [project.projectId, walletId],
    );
    return row?.checks ?? Infinity;
  };

  /**
   * Advances the clock to the next check of the refused credentials and waits for the check, up to `count` times while
   * the wallet is flagged. @returns the milliseconds by which the clock was advanced
   */
  async function passChecks(count: number): Promise<number> {
    let passedMs = 0;
    for (let check = 0; check < count && (await statusOf(wallet)) === 'flagged'; check++) {
      const before = await checksOf(wallet);
      const pauseMs = 1.1 * MINUTE_MS * 2 ** before;
      app.clock.advance(pauseMs);
      passedMs += pauseMs;
      await until('checked', async () => (await checksOf(wallet)) > before);
    }
    return passedMs;
  }

  it('is flagged and kept in an outage of eight seconds, and becomes valid again by itself', async () => {
    await app.sandbox.arm({ ...EVERY_KEY_REFUSED, forMs: 8_000 });
    const { status, body } = await wallet.http.get<ErrorBody>(BALANCE);
    expect([status, body.type]).toEqual([400, 'WALLET_INVALID_CREDENTIALS']);
    expect(body.result).toEqual({ walletDeleted: false, deletionAt: expect.any(String) as string });
    expect(Date.parse(body.result?.deletionAt ?? '') - app.clock.now().getTime()).toBeGreaterThan(HOUR_MS - MINUTE_MS);
    expect(await statusOf(wallet)).toBe('flagged');
    app.clock.advance(2 * MINUTE_MS);
    await until('valid', async () => (await statusOf(wallet)) === 'valid');
    expect((await wallet.http.get(BALANCE)).status).toBe(200);
    expect(await eventsOf(wallet)).toEqual([
      'wallet.created',
      'wallet.credentials.invalid',
      'wallet.credentials.valid',
    ]);
  });

  it('is kept in an outage of hours that affects every key', async () => {
    const other = await app.wallet(project);
    await app.sandbox.arm(EVERY_KEY_REFUSED);
    expect((await wallet.http.get<ErrorBody>(BALANCE)).body.result).toMatchObject({ walletDeleted: false });
    expect((await other.http.get<ErrorBody>(BALANCE)).body.result).toMatchObject({ walletDeleted: false });
    expect(await passChecks(8)).toBeGreaterThan(4 * HOUR_MS);
    expect([await statusOf(wallet), await statusOf(other)]).toEqual(['flagged', 'flagged']);
    await app.sandbox.calm();
    app.clock.advance(24 * HOUR_MS);
    await until('valid', async () => (await statusOf(wallet)) === 'valid' && (await statusOf(other)) === 'valid');
  });

  it('is deleted after an hour, with an event, when the refusal lasts and another key works', async () => {
    await app.wallet(project);
    await app.sandbox.revoke(wallet.account);
    await wallet.http.get(BALANCE);
    const passedMs = await passChecks(8);
    expect(await statusOf(wallet)).toBe('deleted');
    expect(passedMs).toBeGreaterThan(HOUR_MS);
    expect(await eventsOf(wallet)).toEqual(['wallet.created', 'wallet.credentials.invalid', 'wallet.deleted']);
  });

  it('is kept when the refusal lasts but the caller declined the deletion', async () => {
    await app.wallet(project);
    await app.sandbox.revoke(wallet.account);
    const { body } = await wallet.http.get<ErrorBody>(BALANCE, { query: { autoDeleteIfInvalid: false } });
    expect(body.result).toEqual({ walletDeleted: false, deletionAt: null });
    expect(await passChecks(8)).toBeGreaterThan(4 * HOUR_MS);
    expect(await statusOf(wallet)).toBe('flagged');
  });
});
