import type { ProjectIdentity } from '#access';
import { testOverrides } from '#platform/config';
import { Amount } from '#money';
import { until } from '#platform/testing';
import { Shutdown } from '#platform/lifecycle';
import { DeleteWallet } from '../deleting/delete-wallet.js';
import { WalletCredentials } from '../credentials/wallet-credentials.service.js';
import { ExchangePauses } from '../failures/exchange-pauses.js';
import { connectedWallet } from '../testing/connected-wallet.js';
import { fails } from '../testing/scripted-exchanges.js';
import { createWalletHarness, type WalletHarness } from '../testing/wallet-harness.js';
import type { Wallet } from '../wallets/wallet.entity.js';
import { SyncDueWallets } from './sync-due-wallets.js';
import { SyncWallet } from './sync-wallet.js';
import { WalletBalances } from './wallet-balances.service.js';
import { WalletSyncMetrics } from './wallet-sync.metrics.js';

const PERIOD_MS = 900_000;
const LEASE_MS = 8_000;
const PER_JOB = 3;
const MINUTE_MS = 60_000;

describe('SyncDueWallets', () => {
  let harness: WalletHarness;
  let syncDue: SyncDueWallets;
  let project: ProjectIdentity;

  const settings = {
    WALLET_SYNC_SECONDS: String(PERIOD_MS / 1_000),
    WALLET_SYNC_PER_SECOND: String(10 * PER_JOB),
    ...testOverrides({ QUEUE_LEASE_MS: LEASE_MS }),
  };
  const providers = [ExchangePauses, SyncDueWallets, SyncWallet, WalletSyncMetrics];

  beforeAll(async () => {
    harness = await createWalletHarness({ providers, settings });
    syncDue = harness.get(SyncDueWallets);
    project = await harness.project('test');
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    harness.exchanges.reset();
    await harness.db.query(`update wallets set deleted_at = now() where deleted_at is null`);
  });

  /** Connects a wallet that has been due for `ms`. */
  async function overdue(ms: number): Promise<Wallet> {
    const wallet = await connectedWallet(harness.db, project, { vault: harness.vault, lastSyncAt: new Date(0) });
    await harness.db.query(`update wallets set next_sync_at = $2 where id = $1`, [
      wallet.id,
      new Date(harness.clock.now().getTime() - ms),
    ]);
    return wallet;
  }

  /** The wallets whose balances were requested, in this order. */
  const asked = (): string[] => harness.exchanges.opened.map(({ target }) => target.credentialId.split(':')[0] ?? '');

  async function dueAt({ id }: Wallet): Promise<number> {
    const [row] = await harness.db.query<{ due: Date }>(`select next_sync_at as due from wallets where id = $1`, [id]);
    return row?.due.getTime() ?? NaN;
  }

  const dueInMs = async (wallet: Wallet): Promise<number> => (await dueAt(wallet)) - harness.clock.now().getTime();

  it('refreshes wallets that are due, and no others', async () => {
    const due = await overdue(1);
    await overdue(-MINUTE_MS);
    const deleted = await overdue(1);
    await harness.get(DeleteWallet).execute(project, deleted.externalId);
    await syncDue.execute();
    expect(asked()).toEqual([due.id]);
    await syncDue.execute();
    expect(asked()).toEqual([due.id]);
  });

  it('takes the wallets that have been overdue longest, and only as many as one job may take', async () => {
    const wallets: Wallet[] = [];
    for (let n = 0; n < 2 * PER_JOB; n++) wallets.push(await overdue((n + 1) * MINUTE_MS));
    await syncDue.execute();
    expect(asked().sort()).toEqual(
      wallets
        .slice(PER_JOB)
        .map(({ id }) => id)
        .sort(),
    );
  });

  it('refreshes each due wallet once when several workers run at once', async () => {
    for (let n = 0; n < PER_JOB; n++) await overdue(1);
    harness.exchanges.balances = async () => {
      harness.exchanges.balances = () => [];
      await syncDue.execute();
      return [];
    };
    await Promise.all([syncDue.execute(), syncDue.execute(), syncDue.execute()]);
    expect(asked()).toHaveLength(PER_JOB);
    expect(new Set(asked()).size).toBe(PER_JOB);
  });

  it('takes the wallets of a dead worker when their lease is over, and not before', async () => {
    const wallet = await overdue(1);
    const now = harness.clock.now();
    await harness.get(WalletCredentials).takeDue(now, new Date(now.getTime() + LEASE_MS), 1);
    await syncDue.execute();
    expect(asked()).toEqual([]);
    harness.clock.advance(LEASE_MS);
    await syncDue.execute();
    expect(asked()).toEqual([wallet.id]);
  });

  it('renews the lease of a wallet whose call is slow, and makes the wallets that wait behind it due again', async () => {
    const impatient = await createWalletHarness({
      beside: harness,
      providers,
      settings: { ...settings, ...testOverrides({ QUEUE_LEASE_MS: 1_000 }) },
    });
    const wallets = [await overdue(1), await overdue(1), await overdue(1)];
    let calls = 0;
    harness.exchanges.balances = async () => {
      if (++calls > 1) return [];
      const [slow] = wallets.filter(({ id }) => asked().includes(id));
      const before = slow && (await dueAt(slow));
      await until('the lease was renewed', async () => slow !== undefined && (await dueAt(slow)) > (before ?? NaN));
      await syncDue.execute();
      expect(asked()).toHaveLength(wallets.length);
      return [];
    };
    await impatient.get(SyncDueWallets).execute();
    expect(new Set(asked()).size).toBe(wallets.length);
    expect(calls).toBe(wallets.length);
    await impatient.close();
  });

  it('makes the waiting wallets due again after a failure on our side, and throws the failure', async () => {
    const wallets = [await overdue(1), await overdue(1)];
    await harness.db.query(
      `update wallet_credentials set sealed = jsonb_set(sealed, '{fields}', '{"apiKey": null}')
        where wallet_id = any($1)`,
      [wallets.map(({ id }) => id)],
    );
    await expect(syncDue.execute()).rejects.toThrow();
    const due = await Promise.all(wallets.map(dueInMs));
    // The wallet that failed is postponed, and the job makes the other one due again.
    expect(due.filter((ms) => ms <= 0)).toHaveLength(1);
    expect(Math.max(...due)).toBeGreaterThan(PERIOD_MS / 2);
  });

  it('throws the first failure, even if the reported balances cannot be stored afterwards', async () => {
    await overdue(2);
    const broken = await overdue(1);
    await harness.db.query(
      `update wallet_credentials set sealed = jsonb_set(sealed, '{fields}', '{"apiKey": null}') where wallet_id = $1`,
      [broken.id],
    );
    harness.exchanges.balances = () => [
      { asset: '\0', free: Amount.of('1'), used: Amount.zero, total: Amount.of('1') },
    ];
    await expect(syncDue.execute()).rejects.toThrow(/null/);
  });

  it('continues with the next wallet when the exchange refuses the call for a wallet', async () => {
    await overdue(1);
    await overdue(1);
    harness.exchanges.balances = fails('refused');
    await syncDue.execute();
    expect(asked()).toHaveLength(2);
  });

  it('reads the credentials of a later wallet again when the earlier wallets took long', async () => {
    const wallets = [await overdue(1), await overdue(1)];
    harness.exchanges.balances = async () => {
      harness.clock.advance(LEASE_MS / 4);
      const other = wallets.find(({ id }) => !asked().includes(id));
      if (other !== undefined) await harness.get(DeleteWallet).execute(project, other.externalId);
      return [];
    };
    await syncDue.execute();
    expect(asked()).toHaveLength(1);
  });

  /** When the balances of a wallet were read last, and the transaction that has written its row. */
  async function storedOf({ id }: Wallet): Promise<{ readAt: number; writtenBy: string }> {
    const [row] = await harness.db.query<{ read_at: Date; written_by: string }>(
      `select last_sync_at as read_at, xmin::text as written_by from wallets where id = $1`,
      [id],
    );
    return { readAt: row?.read_at.getTime() ?? NaN, writtenBy: row?.written_by ?? '' };
  }

  it('stores the unchanged balances of several wallets in one statement, and changed balances wallet by wallet', async () => {
    const [changed, ...unchanged] = [await overdue(1), await overdue(1), await overdue(1)];
    harness.exchanges.balances = ({ credentialId }) =>
      credentialId.startsWith(changed.id)
        ? [{ asset: 'BTC', free: Amount.of('1'), used: Amount.zero, total: Amount.of('1') }]
        : [];
    await syncDue.execute();
    const [first, second, third] = await Promise.all([changed, ...unchanged].map(storedOf));
    expect(second?.writtenBy).toBe(third?.writtenBy);
    expect(first?.writtenBy).not.toBe(second?.writtenBy);
    for (const stored of [first, second, third]) expect(stored?.readAt).toBeGreaterThan(0);
    expect(await harness.get(WalletBalances).list(changed)).toHaveLength(1);
  });

  it('stores the balances of the other wallets when those of one wallet cannot be stored', async () => {
    const wallets = [await overdue(1), await overdue(1), await overdue(1)];
    let calls = 0;
    harness.exchanges.balances = () =>
      ++calls === 2 ? [{ asset: '\0', free: Amount.of('1'), used: Amount.zero, total: Amount.of('1') }] : [];
    await expect(syncDue.execute()).rejects.toThrow();
    const readAt = await Promise.all(wallets.map(async (wallet) => (await storedOf(wallet)).readAt));
    expect(readAt.filter((ms) => ms === 0)).toHaveLength(1);
    const due = await Promise.all(wallets.map(dueInMs));
    for (const ms of due) expect(ms).toBeGreaterThan(PERIOD_MS / 2);
  });

  it('stores the balances of the other wallets while the row of one wallet is locked', async () => {
    const [locked, other] = [await overdue(1), await overdue(1)];
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let locking: Promise<void> = Promise.resolve();
    harness.exchanges.balances = ({ credentialId }) => {
      if (!credentialId.startsWith(locked.id)) return [];
      return new Promise((resolve) => {
        locking = harness.db.transaction(async (tx) => {
          await harness.db.query(`select from wallets where id = $1 for no key update`, [locked.id], tx);
          resolve([]);
          await released;
        });
      });
    };
    const syncing = syncDue.execute();
    await until('the other wallet is stored', async () => (await storedOf(other)).readAt > 0);
    expect((await storedOf(locked)).readAt).toBe(0);
    release();
    await Promise.all([syncing, locking]);
    expect((await storedOf(locked)).readAt).toBeGreaterThan(0);
  });

  it('stores reported balances while the call of a later wallet is slow', async () => {
    const impatient = await createWalletHarness({
      beside: harness,
      providers,
      settings: { ...settings, ...testOverrides({ QUEUE_LEASE_MS: 1_000 }) },
    });
    const wallets = [await overdue(1), await overdue(1)];
    harness.exchanges.balances = async () => {
      const [first, second] = asked();
      const reported = wallets.find(({ id }) => id === first);
      if (second !== undefined && reported !== undefined)
        await until('the first is stored', async () => (await storedOf(reported)).readAt > 0);
      return [];
    };
    await impatient.get(SyncDueWallets).execute();
    for (const wallet of wallets) expect((await storedOf(wallet)).readAt).toBeGreaterThan(0);
    await impatient.close();
  });

  it('postpones a wallet whose balances cannot be stored while the call of a later wallet is slow', async () => {
    const impatient = await createWalletHarness({
      beside: harness,
      providers,
      settings: { ...settings, ...testOverrides({ QUEUE_LEASE_MS: 1_000 }) },
    });
    const wallets = [await overdue(1), await overdue(1)];
    harness.exchanges.balances = async () => {
      const [, second] = asked();
      if (second === undefined)
        return [{ asset: '\0', free: Amount.of('1'), used: Amount.zero, total: Amount.of('1') }];
      const slow = wallets.find(({ id }) => id === second);
      const before = slow && (await dueAt(slow));
      await until('the lease was renewed', async () => slow !== undefined && (await dueAt(slow)) > (before ?? NaN));
      return [];
    };
    await impatient.get(SyncDueWallets).execute();
    for (const wallet of wallets) expect(await dueInMs(wallet)).toBeGreaterThan(PERIOD_MS / 2);
    await impatient.close();
  });

  it('begins no further wallet when the process stops', async () => {
    const stopping = await createWalletHarness({ beside: harness, providers, settings });
    const wallets = [await overdue(1), await overdue(1)];
    harness.exchanges.balances = async () => {
      await stopping.get(Shutdown).begin();
      return [];
    };
    await stopping.get(SyncDueWallets).execute();
    expect(asked()).toHaveLength(1);
    expect(Math.min(...(await Promise.all(wallets.map(dueInMs))))).toBeLessThanOrEqual(0);
    await stopping.close();
  });
});
