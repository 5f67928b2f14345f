import type { ProjectIdentity } from '#access';
import { ExchangeError, type ExchangeErrorKind } from '#exchange';
import { Amount } from '#money';
import { Secret } from '#platform/crypto';
import { Metrics } from '#platform/metrics';
import { testOverrides } from '#platform/config';
import { ConnectWallet } from '../connecting/connect-wallet.js';
import { DeleteWallet } from '../deleting/delete-wallet.js';
import { WalletCredentials, type WalletTarget } from '../credentials/wallet-credentials.service.js';
import { PingWallet } from '../sessions/ping-wallet.js';
import { connectedWallet, type ConnectedWalletOptions } from '../testing/connected-wallet.js';
import { grantedWallet } from '../testing/granted-wallet.js';
import { authorizationFails } from '../testing/scripted-authorizations.js';
import { fails } from '../testing/scripted-exchanges.js';
import { createWalletHarness, type WalletHarness } from '../testing/wallet-harness.js';
import { WalletBalances } from './wallet-balances.service.js';
import type { Wallet } from '../wallets/wallet.entity.js';
import { ExchangePauses } from '../failures/exchange-pauses.js';
import { SyncWallet } from './sync-wallet.js';
import { WalletSyncMetrics } from './wallet-sync.metrics.js';

const PERIOD_MS = 900_000;
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 4 * PERIOD_MS;
const PAUSE_MS = 20_000;
const LEASE_MS = 8_000;

const newCredentials = () => ({
  apiKey: new Secret('new-key'),
  apiSecret: new Secret('new-secret'),
  apiPassphrase: new Secret('new-passphrase'),
});

interface Schedule {
  dueInMs: number;
  sync_failures: number;
  invalid_api: boolean;
}

describe('SyncWallet', () => {
  let harness: WalletHarness;
  let sync: SyncWallet;
  let project: ProjectIdentity;

  beforeAll(async () => {
    harness = await createWalletHarness({
      providers: [ExchangePauses, SyncWallet, WalletSyncMetrics],
      settings: {
        WALLET_SYNC_SECONDS: String(PERIOD_MS / 1_000),
        ...testOverrides({
          WALLET_SYNC_BACKOFF_SECONDS: FIRST_PAUSE_MS / 1_000,
          WALLET_SYNC_BACKOFF_MAX_SECONDS: LONGEST_PAUSE_MS / 1_000,
          WALLET_SYNC_PAUSE_FAILURES: 3,
          WALLET_SYNC_PAUSE_SECONDS: PAUSE_MS / 1_000,
        }),
      },
    });
    sync = harness.get(SyncWallet);
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    harness.exchanges.reset();
    harness.get(Metrics).registry.resetMetrics();
    harness.get(ExchangePauses).answered({ exchange: 'kraken', mode: 'test' });
    project = await harness.project('test');
  });

  const connect = (options: ConnectedWalletOptions = {}): Promise<Wallet> =>
    connectedWallet(harness.db, project, { vault: harness.vault, lastSyncAt: new Date(0), ...options });

  async function scheduleOf(wallet: Wallet): Promise<Schedule> {
    const [row] = await harness.db.query<Omit<Schedule, 'dueInMs'> & { next_sync_at: Date }>(
      `select next_sync_at, sync_failures, invalid_api from wallets where id = $1`,
      [wallet.id],
    );
    if (row === undefined) throw new Error('no such wallet');
    const { next_sync_at: nextSyncAt, ...rest } = row;
    return { ...rest, dueInMs: nextSyncAt.getTime() - harness.clock.now().getTime() };
  }

  /** Advances the clock until the wallet is due, and refreshes it. */
  async function syncWhenDue(wallet: Wallet): Promise<Schedule> {
    harness.clock.advance(Math.max(0, (await scheduleOf(wallet)).dueInMs));
    await syncNow(wallet);
    return scheduleOf(wallet);
  }

  /** Leases the wallet and refreshes it. `meanwhile` runs after the lease and before the refresh. */
  async function syncNow({ id: walletId }: Wallet, meanwhile?: () => Promise<unknown>): Promise<void> {
    const lease = { end: new Date(harness.clock.now().getTime() + LEASE_MS) };
    await harness.db.query(`update wallets set next_sync_at = $2 where id = $1`, [walletId, lease.end]);
    await meanwhile?.();
    const target = (): Promise<WalletTarget> => harness.get(WalletCredentials).target(walletId, { deletedToo: false });
    const reported = await sync.ask({ walletId, lease, target });
    if (reported !== null) await sync.storeAll([reported]);
  }

  function expectAbout(ms: number, expected: number): void {
    // The bounds allow for the jitter of 5 %, and for two seconds that pass on a slow machine before the time is read.
    expect(ms).toBeGreaterThan(expected * 0.95 - 2_000);
    expect(ms).toBeLessThanOrEqual(expected * 1.05);
  }

  const countOf = async (outcome: string): Promise<number> => {
    const { values } = await harness.get(Metrics).counter({ name: 'causeway_wallet_syncs_total', help: '' }).get();
    return values
      .filter(({ labels }) => Object.values(labels).includes(outcome))
      .reduce((sum, { value }) => sum + value, 0);
  };

  describe('when the exchange responds', () => {
    it('stores the balances, and schedules the wallet after about a period', async () => {
      const wallet = await connect();
      harness.exchanges.balances = () => [
        { asset: 'BTC', free: Amount.of('1'), used: Amount.zero, total: Amount.of('1') },
      ];
      const { dueInMs, sync_failures: failures } = await syncWhenDue(wallet);
      expectAbout(dueInMs, PERIOD_MS);
      expect(failures).toBe(0);
      expect(await harness.get(WalletBalances).list(wallet)).toHaveLength(1);
      expect(await countOf('changed')).toBe(1);
      await syncWhenDue(wallet);
      expect([await countOf('changed'), await countOf('unchanged')]).toEqual([1, 1]);
    });

    it('schedules the wallet after its first refresh within the next period', async () => {
      const wallet = await connect({ lastSyncAt: null });
      const { dueInMs } = await syncWhenDue(wallet);
      expect(dueInMs).toBeLessThanOrEqual(PERIOD_MS);
    });

    it('does not keep its session in memory, unlike a call of a user', async () => {
      const wallet = await connect();
      await syncWhenDue(wallet);
      await harness.get(WalletBalances).refresh(wallet, { autoDelete: true });
      expect(harness.exchanges.opened.map(({ keep }) => keep)).toEqual([false, true]);
    });

    it('makes no request when another call has refreshed the wallet after the job took it', async () => {
      const wallet = await connect();
      await syncNow(wallet, async () => {
        await harness.get(WalletBalances).refresh(wallet, { autoDelete: true });
        harness.exchanges.opened = [];
      });
      expect(harness.exchanges.opened).toEqual([]);
      expectAbout((await scheduleOf(wallet)).dueInMs, PERIOD_MS);
    });

    it('measures the delay of a refresh from the end of the refresh period', async () => {
      const wallet = await connect({ lastSyncAt: new Date(harness.clock.now().getTime() - PERIOD_MS - 60_000) });
      await syncWhenDue(wallet);
      const text = await harness.get(Metrics).registry.metrics();
      expect(text).toContain('causeway_wallet_sync_lag_seconds_bucket{le="15"} 0');
      expect(text).toContain('causeway_wallet_sync_lag_seconds_bucket{le="300"} 1');
    });
  });

  describe('when the exchange does not respond', () => {
    it.each<ExchangeErrorKind>(['unavailable', 'rate_limited'])(
      'doubles the pause with each failure, and flags nothing: %s',
      async (kind) => {
        const wallet = await connect();
        harness.exchanges.balances = fails(kind);
        for (let failure = 0; failure < 2; failure++) {
          const { dueInMs, ...state } = await syncWhenDue(wallet);
          expectAbout(dueInMs, FIRST_PAUSE_MS * 2 ** failure);
          expect(state).toEqual({ sync_failures: failure + 1, invalid_api: false });
        }
        expect(await countOf(kind)).toBe(2);
        harness.exchanges.balances = () => [];
        const { dueInMs, sync_failures: failures } = await syncWhenDue(wallet);
        expectAbout(dueInMs, PERIOD_MS);
        expect(failures).toBe(0);
      },
    );

    it('keeps the result of a concurrent refresh that succeeds', async () => {
      const wallet = await connect();
      let asked = 0;
      harness.exchanges.balances = async () => {
        if (++asked > 1) return [];
        await harness.get(WalletBalances).refresh(wallet, { autoDelete: true });
        throw new ExchangeError('unavailable', 'kraken', 'scripted');
      };
      const { dueInMs, sync_failures: failures } = await syncWhenDue(wallet);
      expectAbout(dueInMs, PERIOD_MS);
      expect(failures).toBe(0);
    });

    it('pauses the wallets of this exchange after three failures in a row, until one call succeeds', async () => {
      const [kraken, okx] = [await connect(), await connect({ exchange: 'okx', credentials: newCredentials() })];
      harness.exchanges.balances = ({ exchange }) => (exchange === 'kraken' ? fails('unavailable')() : []);
      for (let failure = 0; failure < 3; failure++) await syncWhenDue(kraken);
      harness.exchanges.opened = [];

      const waiting = await connect();
      const { dueInMs, sync_failures: failures } = await syncWhenDue(waiting);
      expectAbout(dueInMs, 5 * PAUSE_MS);
      expect(failures).toBe(0);
      expect(await countOf('paused')).toBe(1);
      await syncWhenDue(okx);
      expect(harness.exchanges.opened.map(({ target }) => target.exchange)).toEqual(['okx']);

      harness.clock.advance(PAUSE_MS);
      harness.exchanges.balances = () => [];
      await syncNow(await connect());
      await syncNow(await connect());
      expect(harness.exchanges.opened).toHaveLength(3);
    });

    it('does not count failed renewals of tokens as failures of the exchange', async () => {
      harness.authorizations.onRefresh = authorizationFails('unavailable');
      for (let failure = 0; failure < 4; failure++) {
        await syncWhenDue(await grantedWallet(harness, project, { accessLivesMs: -1 }));
      }
      expect(harness.authorizations.refreshed).toHaveLength(4);
      await syncWhenDue(await connect());
      expect(await countOf('paused')).toBe(0);
      expect(harness.exchanges.opened).toHaveLength(1);
    });

    it('does not count our own limits as failures of the exchange', async () => {
      harness.exchanges.balances = () => {
        throw new ExchangeError('rate_limited', 'kraken', 'scripted', { reason: 'own_limit' });
      };
      const wallet = await connect();
      for (let failure = 0; failure < 4; failure++) await syncWhenDue(wallet);
      expect(await countOf('paused')).toBe(0);
      expect((await scheduleOf(wallet)).sync_failures).toBe(4);
    });
  });

  describe('when the exchange refuses', () => {
    it.each<ExchangeErrorKind>(['permission_missing', 'ip_not_allowed', 'refused'])(
      'postpones the wallet by a period, and flags nothing: %s',
      async (kind) => {
        const wallet = await connect();
        harness.exchanges.balances = fails(kind);
        const { dueInMs, ...state } = await syncWhenDue(wallet);
        expectAbout(dueInMs, PERIOD_MS);
        expect(state).toEqual({ sync_failures: 1, invalid_api: false });
      },
    );

    it('flags a wallet with invalid credentials, doubles its pauses, and records one event, but does not delete it', async () => {
      const wallet = await connect();
      harness.exchanges.balances = fails('credentials_invalid');
      harness.exchanges.keyInfo = fails('credentials_invalid');
      for (const pause of [PERIOD_MS, 2 * PERIOD_MS, LONGEST_PAUSE_MS, LONGEST_PAUSE_MS]) {
        const { dueInMs, invalid_api: isFlagged } = await syncWhenDue(wallet);
        expectAbout(dueInMs, pause);
        expect(isFlagged).toBe(true);
      }
      expect(await harness.credentialId(wallet.id)).not.toBeNull();
      expect(await eventsOf(wallet)).toEqual([
        { type: 'wallet.credentials.invalid', data: { walletId: wallet.externalId, exchange: 'kraken' } },
      ]);
    });

    it.each<[string, (wallet: Wallet) => Promise<unknown>]>([
      ['a ping', (wallet) => harness.get(PingWallet).execute(project, wallet.externalId)],
      [
        'a connect',
        ({ externalId: externalWalletId, exchange }) =>
          harness.get(ConnectWallet).execute(project, { externalWalletId, exchange, credentials: newCredentials() }),
      ],
      ['a refresh', (wallet) => harness.get(WalletBalances).refresh(wallet, { autoDelete: true })],
    ])('returns a wallet to the normal period after %s shows that its credentials are valid', async (_by, revive) => {
      const wallet = await connect();
      harness.exchanges.balances = fails('credentials_invalid');
      harness.exchanges.keyInfo = fails('credentials_invalid');
      await syncWhenDue(wallet);
      await syncWhenDue(wallet);
      harness.exchanges.reset();
      await revive(wallet);
      const { dueInMs, ...state } = await scheduleOf(wallet);
      expect(state).toEqual({ sync_failures: 0, invalid_api: false });
      expect(dueInMs).toBeLessThanOrEqual(PERIOD_MS * 1.05);
    });
  });

  it('makes a new wallet due after the first pause when the connecting call could not read its balances', async () => {
    harness.exchanges.balances = fails('unavailable');
    const { wallet } = await harness
      .get(ConnectWallet)
      .execute(project, { externalWalletId: 'new', exchange: 'kraken', credentials: newCredentials() });
    const { dueInMs } = await scheduleOf(wallet);
    expect(dueInMs).toBeGreaterThan(FIRST_PAUSE_MS - 2_000);
    expect(dueInMs).toBeLessThanOrEqual(FIRST_PAUSE_MS);
  });

  it('makes no call for a deleted wallet, and stores nothing for a wallet that is deleted during the refresh', async () => {
    const [before, meanwhile] = [await connect(), await connect()];
    harness.exchanges.balances = async () => {
      await harness.get(DeleteWallet).execute(project, meanwhile.externalId);
      return [];
    };
    await harness.get(DeleteWallet).execute(project, before.externalId);
    await syncNow(before);
    expect(harness.exchanges.opened).toEqual([]);
    await syncNow(meanwhile);
    expect(await harness.get(WalletBalances).list(meanwhile)).toEqual([]);
  });

  it('postpones the wallet after a failure on our side, and throws the failure', async () => {
    const wallet = await connect();
    await harness.db.query(
      `update wallet_credentials set sealed = jsonb_set(sealed, '{fields}', '{"apiKey": null}') where wallet_id = $1`,
      [wallet.id],
    );
    await expect(syncNow(wallet)).rejects.toThrow();
    expectAbout((await scheduleOf(wallet)).dueInMs, PERIOD_MS);
  });

  it('counts the due wallets that no worker has taken', async () => {
    await harness.db.query(`update wallets set deleted_at = now()`);
    await connect();
    const taken = await connect();
    await harness.db.query(`update wallets set next_sync_at = $2 where id = $1`, [
      taken.id,
      new Date(harness.clock.now().getTime() + LEASE_MS),
    ]);
    expect(await harness.get(Metrics).registry.metrics()).toMatch(/^causeway_wallets_overdue 1$/m);
  });

  async function eventsOf(wallet: Wallet): Promise<unknown[]> {
    return harness.db.query(`select type, data from events where project_id = $1 and subject = $2 order by id`, [
      project.id,
      wallet.externalId,
    ]);
  }
});
