import { v7 } from 'uuid';
import type { ProjectIdentity } from '#access';
import { ExchangeError, ProviderError, type ExchangeErrorKind } from '#exchange';
import { RefusedByExchange, WalletInvalidCredentials, WalletNotFound } from '../wallets/wallet.errors.js';
import { DeleteWallet } from '../deleting/delete-wallet.js';
import { PingWallet } from './ping-wallet.js';
import { connectedWallet } from '../testing/connected-wallet.js';
import { fails } from '../testing/scripted-exchanges.js';
import { holdCredentials } from '../testing/replace-credentials.js';
import { createWalletHarness, type WalletHarness } from '../testing/wallet-harness.js';
import { WalletBalances } from '../balances/wallet-balances.service.js';
import { WalletSessions } from './wallet-sessions.service.js';
import type { Wallet } from '../wallets/wallet.entity.js';
import { Wallets } from '../wallets/wallets.service.js';

const inconclusive: ExchangeErrorKind[] = [
  'unavailable',
  'permission_missing',
  'ip_not_allowed',
  'rate_limited',
  'refused',
];

describe('the session of a wallet', () => {
  let harness: WalletHarness;
  let sessions: WalletSessions;
  let project: ProjectIdentity;
  let wallet: Wallet;

  beforeAll(async () => {
    harness = await createWalletHarness();
    sessions = harness.get(WalletSessions);
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    harness.exchanges.reset();
    project = await harness.project('test');
    wallet = await connectedWallet(harness.db, project, { vault: harness.vault });
  });

  const find = (): Promise<Wallet | null> => harness.get(Wallets).find(project, wallet.externalId);
  const balances = (autoDelete = true): Promise<unknown> =>
    sessions.use(wallet, { autoDelete }, (session) => session.balances());
  const hold = (holder: string): Promise<void> => holdCredentials(harness, wallet, holder);

  it('runs the work on the cached session of the credentials, and returns its result', async () => {
    expect(await sessions.use(wallet, { autoDelete: true }, async () => 'done')).toBe('done');
    expect(harness.exchanges.opened).toMatchObject([
      {
        fresh: false,
        target: { exchange: 'kraken', mode: 'test', credentialId: await harness.credentialId(wallet.id) },
      },
    ]);
  });

  describe('when the exchange answers in two independent calls that the credentials are invalid', () => {
    beforeEach(() => {
      harness.exchanges.balances = fails('credentials_invalid');
      harness.exchanges.keyInfo = fails('credentials_invalid');
    });

    it('deletes the wallet and erases its credentials and balances', async () => {
      await expect(balances()).rejects.toMatchObject({
        code: 'WALLET_INVALID_CREDENTIALS',
        details: { result: { walletDeleted: true } },
      });
      expect(await find()).toBeNull();
      expect(await harness.credentialId(wallet.id)).toBeNull();
      expect(harness.exchanges.opened.map(({ fresh }) => fresh)).toEqual([false, true]);
    });

    it('only flags the wallet when autodelete is off', async () => {
      await expect(balances(false)).rejects.toMatchObject({ details: { result: { walletDeleted: false } } });
      expect(await find()).toMatchObject({ invalidApi: true });
      expect(await harness.credentialId(wallet.id)).not.toBeNull();
    });

    it('only flags the wallet when the exchange refuses a signature, because the key may need a second factor', async () => {
      const refused = () => {
        throw new ExchangeError('credentials_invalid', 'kraken', 'EAPI:Invalid signature', {
          reason: 'invalid_signature',
        });
      };
      harness.exchanges.keyInfo = refused;
      await expect(balances()).rejects.toMatchObject({ details: { result: { walletDeleted: false } } });
      harness.exchanges.keyInfo = fails('credentials_invalid');
      harness.exchanges.balances = refused;
      await expect(balances()).rejects.toMatchObject({ details: { result: { walletDeleted: false } } });
      expect(await find()).toMatchObject({ invalidApi: true });
    });

    it('only flags the wallet while an unsettled withdrawal or order holds its credentials', async () => {
      const holder = v7();
      await hold(holder);
      await expect(balances()).rejects.toMatchObject({ details: { result: { walletDeleted: false } } });
      expect(await find()).toMatchObject({ invalidApi: true });
      await harness.db.transaction((tx) => harness.get(Wallets).release(tx, wallet.id, holder));
      await expect(balances()).rejects.toMatchObject({ details: { result: { walletDeleted: true } } });
      expect(await find()).toBeNull();
    });

    it('reports the deletion to all concurrent callers', async () => {
      const callers = 5;
      let asking = 0;
      let answer = (): void => undefined;
      const allAsked = new Promise<void>((resolve) => (answer = resolve));
      harness.exchanges.balances = async () => {
        if (++asking === callers) answer();
        await allAsked;
        return fails('credentials_invalid')();
      };
      const outcomes = await Promise.allSettled(Array.from({ length: callers }, () => balances()));
      for (const outcome of outcomes) {
        expect(outcome).toMatchObject({ reason: { details: { result: { walletDeleted: true } } } });
      }
    });

    it('neither deletes nor flags the wallet when the credentials were replaced during the calls', async () => {
      harness.exchanges.keyInfo = fails('credentials_invalid');
      const use = sessions.use(wallet, { autoDelete: true }, async () => {
        await harness.replaceCredentials(project, wallet);
        throw new ExchangeError('credentials_invalid', 'kraken', 'the old key is gone');
      });
      await expect(use).rejects.toMatchObject({ details: { result: { walletDeleted: false } } });
      expect(await find()).toMatchObject({ invalidApi: false });
    });
  });

  it('neither flags nor deletes the wallet when the call after a refused one succeeds', async () => {
    harness.exchanges.balances = fails('credentials_invalid');
    await expect(balances()).rejects.toThrow(ProviderError);
    expect(await find()).toMatchObject({ invalidApi: false });
  });

  it.each(inconclusive)(
    'neither flags nor deletes the wallet when the call after a refused one ends in %s',
    async (kind) => {
      harness.exchanges.balances = fails('credentials_invalid');
      harness.exchanges.keyInfo = fails(kind);
      await expect(balances()).rejects.toThrow(ProviderError);
      expect(await find()).toMatchObject({ invalidApi: false });
      expect(await harness.credentialId(wallet.id)).not.toBeNull();
    },
  );

  it.each(inconclusive)(
    'neither flags nor deletes the wallet, and makes no second call, when the first call ends in %s',
    async (kind) => {
      harness.exchanges.balances = fails(kind);
      harness.exchanges.keyInfo = fails('credentials_invalid');
      await expect(balances()).rejects.toThrow(ProviderError);
      expect(await find()).toMatchObject({ invalidApi: false });
      expect(harness.exchanges.opened).toHaveLength(1);
    },
  );

  it('throws RefusedByExchange for a definite refusal', async () => {
    const use = sessions.use(wallet, { autoDelete: true }, async () => {
      throw new ExchangeError('refused', 'kraken', 'x', { code: 'WITHDRAWAL_INSUFFICIENT_BALANCE' });
    });
    await expect(use).rejects.toThrow(RefusedByExchange);
  });

  it('throws the errors of the work itself unchanged', async () => {
    const error = new Error('of the work');
    const use = sessions.use(wallet, { autoDelete: true }, async () => Promise.reject(error));
    await expect(use).rejects.toBe(error);
  });

  it('is not opened inside a transaction', async () => {
    await expect(harness.db.transaction(() => balances())).rejects.toThrow(
      'must not happen inside a database transaction',
    );
    expect(await find()).not.toBeNull();
  });

  it('opens for a deleted wallet only by its id, while the credentials are held', async () => {
    const holder = v7();
    await hold(holder);
    await harness.get(DeleteWallet).execute(project, wallet.externalId);
    await expect(balances()).rejects.toThrow(WalletNotFound);
    expect(await sessions.openById(wallet.id)).toMatchObject({ exchange: 'kraken' });
    await harness.db.transaction((tx) => harness.get(Wallets).release(tx, wallet.id, holder));
    await expect(sessions.openById(wallet.id)).rejects.toThrow(WalletNotFound);
  });

  it('does not convert the errors of the exchange when it is opened by id', async () => {
    harness.exchanges.balances = fails('unavailable');
    const session = await sessions.openById(wallet.id);
    await expect(session.balances()).rejects.toThrow(ExchangeError);
  });

  describe('a ping', () => {
    const ping = () => harness.get(PingWallet).execute(project, wallet.externalId);

    it('returns the facts about the key, from a fresh session, and clears the flag', async () => {
      await harness.db.query(`update wallets set invalid_api = true where id = $1`, [wallet.id]);
      const keyInfo = {
        permissions: ['read'],
        ipAllowlist: [],
        validUntil: 1_790_000_000,
        lastUsed: null,
        createdTime: null,
        modifiedTime: null,
      };
      harness.exchanges.keyInfo = () => keyInfo;
      expect(await ping()).toMatchObject({ keyInfo });
      expect(await find()).toMatchObject({ invalidApi: false });
      expect(harness.exchanges.opened).toMatchObject([{ fresh: true }]);
    });

    it('flags the wallet, and does not delete it, when the exchange answers that the credentials are invalid', async () => {
      harness.exchanges.keyInfo = fails('credentials_invalid');
      expect(await ping()).toMatchObject({ keyInfo: null });
      expect(await find()).toMatchObject({ invalidApi: true });
    });

    it.each(inconclusive)('does not change the flag when the call ends in %s', async (kind) => {
      harness.exchanges.keyInfo = fails(kind);
      for (const invalidApi of [true, false]) {
        await harness.db.query(`update wallets set invalid_api = $2 where id = $1`, [wallet.id, invalidApi]);
        await expect(ping()).rejects.toThrow(ProviderError);
        expect(await find()).toMatchObject({ invalidApi });
      }
    });

    it('is refused for a wallet of another project', async () => {
      const other = await harness.project('test');
      await expect(harness.get(PingWallet).execute(other, wallet.externalId)).rejects.toThrow(WalletNotFound);
    });
  });

  it('flags a wallet after two refused calls, and clears the flag when a later read of the balances succeeds', async () => {
    harness.exchanges.balances = fails('credentials_invalid');
    harness.exchanges.keyInfo = fails('credentials_invalid');
    await expect(harness.get(WalletBalances).refresh(wallet, { autoDelete: false })).rejects.toThrow(
      WalletInvalidCredentials,
    );
    expect(await find()).toMatchObject({ invalidApi: true });
    harness.exchanges.reset();
    await harness.get(WalletBalances).refresh(wallet, { autoDelete: false });
    expect(await find()).toMatchObject({ invalidApi: false });
  });
});
