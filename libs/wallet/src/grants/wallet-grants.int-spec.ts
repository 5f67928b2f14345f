import pg from 'pg';
import { v7 } from 'uuid';
import type { ProjectIdentity } from '#access';
import { ExchangeError, type Authorized, type SessionTarget } from '#exchange';
import { testOverrides } from '#platform/config';
import { DeleteWallet } from '../deleting/delete-wallet.js';
import { EraseKeptCredentials } from '../deleting/erase-kept-credentials.js';
import { PingWallet } from '../sessions/ping-wallet.js';
import { grantedWallet, grantOf, type GrantedWalletOptions } from '../testing/granted-wallet.js';
import { authorizationFails, authorizedAs } from '../testing/scripted-authorizations.js';
import { fails } from '../testing/scripted-exchanges.js';
import { holdCredentials } from '../testing/replace-credentials.js';
import { createWalletHarness, type WalletHarness } from '../testing/wallet-harness.js';
import { WalletBalances } from '../balances/wallet-balances.service.js';
import { WalletSessions } from '../sessions/wallet-sessions.service.js';
import type { Wallet } from '../wallets/wallet.entity.js';
import { Wallets } from '../wallets/wallets.service.js';
import { RefreshGrant } from './refresh-grant.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Remaining life of a token that is renewed before it is used; shorter than EXCHANGE_TIMEOUT_MS. */
const ABOUT_TO_EXPIRE_MS = 5_000;
/** The default of EXECUTE_WAIT_MS. */
const EXECUTION_MS = 25_000;
const FIRST_PAUSE_MS = 30_000;

describe('sessions of a wallet with a grant', () => {
  let harness: WalletHarness;
  let beside: WalletHarness;
  /** A process whose callers wait only 1 s for the renewal by another process. */
  let hurried: WalletHarness;
  let project: ProjectIdentity;

  beforeAll(async () => {
    harness = await createWalletHarness();
    beside = await createWalletHarness({ beside: harness });
    hurried = await createWalletHarness({ beside: harness, settings: testOverrides({ GRANT_WAIT_MS: 1_000 }) });
  });
  afterAll(async () => {
    await hurried.close();
    await beside.close();
    await harness.close();
  });
  beforeEach(async () => {
    harness.exchanges.reset();
    harness.authorizations.reset();
    project = await harness.project('test');
  });

  const connect = (options: GrantedWalletOptions = {}): Promise<Wallet> => grantedWallet(harness, project, options);
  const answers = (name: string): Authorized =>
    authorizedAs(name, { accessExpiresAt: new Date(harness.clock.now().getTime() + HOUR_MS) });
  const tokenIn = ({ credentials }: SessionTarget): string => credentials.apiKey.reveal();
  const tokensUsed = (): string[] => harness.exchanges.opened.map(({ target }) => tokenIn(target));
  const use = (wallet: Wallet, { autoDelete = true, process = harness } = {}): Promise<unknown> =>
    process.get(WalletSessions).use(wallet, { autoDelete }, (session) => session.balances());
  const find = (wallet: Wallet): Promise<Wallet | null> => harness.get(Wallets).find(project, wallet.externalId);
  const hold = (wallet: Wallet, holder?: string): Promise<void> => holdCredentials(harness, wallet, holder);
  async function restoreDatabase(): Promise<void> {
    const client = new pg.Client(harness.database.ownerUrl);
    await client.connect();
    await client.query(`update database_epochs set is_original = false, first_seen_at = $1`, [harness.clock.now()]);
    await client.end();
  }
  const refusing = (token: string) => (target: SessionTarget) => {
    if (tokenIn(target) === token) throw new ExchangeError('credentials_invalid', 'kraken', 'scripted');
    return [];
  };

  describe('before they call the exchange', () => {
    it.each([
      ['expired an hour ago', -HOUR_MS],
      ['is about to expire', ABOUT_TO_EXPIRE_MS],
      ['expires within the time of an execution', EXECUTION_MS],
    ])('renew an access token that %s', async (_when, accessLivesMs) => {
      harness.authorizations.onRefresh = () => answers('second');
      await use(await connect({ accessLivesMs }));
      expect(tokensUsed()).toEqual(['access-second']);
    });

    it('do not renew an access token that is valid for long enough or has no expiry', async () => {
      await use(await connect({ accessLivesMs: HOUR_MS }));
      await use(await connect({ accessLivesMs: null }));
      expect(harness.authorizations.refreshed).toEqual([]);
    });

    it('renew an expired token in one of two processes, while the other process waits', async () => {
      const wallet = await connect({ accessLivesMs: -1 });
      harness.authorizations.onRefresh = () => answers('second');
      const work = (process: WalletHarness) =>
        process.get(WalletSessions).use(wallet, { autoDelete: true }, (session) => session.balances());
      await Promise.all([work(harness), work(beside), work(harness), work(beside)]);
      expect(harness.authorizations.refreshed).toEqual(['refresh-first']);
      expect(tokensUsed()).toEqual(Array(4).fill('access-second'));
    });

    it('fail when the renewal gets no response, do not flag the wallet, and do not renew again at once', async () => {
      const wallet = await connect({ accessLivesMs: -1 });
      for (let call = 0; call < 2; call++) {
        await expect(use(wallet)).rejects.toMatchObject({
          code: 'WITHDRAWAL_PROVIDER_ERROR',
          details: { result: { reason: 'credentials_not_renewed' } },
        });
      }
      expect(harness.authorizations.refreshed).toHaveLength(1);
      expect(tokensUsed()).toEqual([]);
      expect(await find(wallet)).toMatchObject({ invalidApi: false });
      harness.clock.advance(FIRST_PAUSE_MS);
      harness.authorizations.onRefresh = () => answers('second');
      await use(wallet);
    });

    it('use a token that expires soon when its renewal gets no response', async () => {
      await use(await connect({ accessLivesMs: ABOUT_TO_EXPIRE_MS }));
      expect(tokensUsed()).toEqual(['access-first']);
    });

    it('wait only for a limited time for another process that renews the token, and then use the old token', async () => {
      const wallet = await connect({ accessLivesMs: ABOUT_TO_EXPIRE_MS });
      harness.authorizations.onRefresh = () => new Promise(() => undefined);
      const { revision = '' } = (await grantOf(harness, wallet)) ?? {};
      void beside.get(RefreshGrant).execute(wallet.id, revision);
      await use(wallet, { process: hurried });
      expect(tokensUsed()).toEqual(['access-first']);
    });

    it('poll once for all waiting callers while another process renews the token', async () => {
      const wallet = await connect({ accessLivesMs: ABOUT_TO_EXPIRE_MS });
      harness.authorizations.onRefresh = () => new Promise(() => undefined);
      const { revision = '' } = (await grantOf(harness, wallet)) ?? {};
      void beside.get(RefreshGrant).execute(wallet.id, revision);
      const statements = await hurried.statementsOf(async () => {
        await Promise.all(Array.from({ length: 20 }, () => use(wallet, { process: hurried })));
      });
      // All callers together poll at most once in 100 ms, for 1 s. If each caller polled, there would be 200 polls.
      expect(statements.filter((sql) => sql.startsWith('update wallet_grants')).length).toBeLessThan(20);
    });

    it('delete the wallet after the end of the grant only when the exchange has refused the access token twice', async () => {
      const wallet = await connect({ accessLivesMs: -1 });
      harness.authorizations.onRefresh = authorizationFails('grant_ended');
      await use(wallet);
      expect(await find(wallet)).toMatchObject({ invalidApi: true });
      harness.exchanges.balances = fails('credentials_invalid');
      harness.exchanges.keyInfo = fails('credentials_invalid');
      await expect(use(wallet)).rejects.toMatchObject({ details: { result: { walletDeleted: true } } });
      expect(await find(wallet)).toBeNull();
      expect(harness.authorizations.refreshed).toHaveLength(1);
    });
  });

  describe('with an access token that the exchange refuses', () => {
    it('ask the caller to try again when the token can be renewed, and flag and delete nothing', async () => {
      const wallet = await connect({ accessLivesMs: HOUR_MS });
      harness.exchanges.balances = refusing('access-first');
      harness.exchanges.keyInfo = fails('credentials_invalid');
      harness.authorizations.onRefresh = () => answers('second');
      await expect(use(wallet)).rejects.toMatchObject({
        code: 'WITHDRAWAL_PROVIDER_ERROR',
        message: expect.stringContaining('try again') as string,
        details: { result: { reason: 'credentials_renewed' } },
      });
      expect(await find(wallet)).toMatchObject({ invalidApi: false });
      await use(wallet);
      expect(tokensUsed()).toEqual(['access-first', 'access-second']);
    });

    it('ask the caller to try again when another process has renewed the token during the call', async () => {
      const wallet = await connect({ accessLivesMs: HOUR_MS });
      harness.authorizations.onRefresh = () => answers('second');
      const { revision = '' } = (await grantOf(harness, wallet)) ?? {};
      const call = harness.get(WalletSessions).use(wallet, { autoDelete: true }, async () => {
        await beside.get(RefreshGrant).execute(wallet.id, revision);
        throw new ExchangeError('credentials_invalid', 'kraken', 'scripted');
      });
      await expect(call).rejects.toMatchObject({ details: { result: { reason: 'credentials_renewed' } } });
      expect(harness.authorizations.refreshed).toHaveLength(1);
    });

    it('flag the wallet when the renewed token is refused, too, and renew the token once a minute at most', async () => {
      const wallet = await connect({ accessLivesMs: HOUR_MS });
      harness.exchanges.balances = fails('credentials_invalid');
      harness.exchanges.keyInfo = fails('credentials_invalid');
      let renewals = 0;
      harness.authorizations.onRefresh = () => answers(`renewed-${++renewals}`);
      await expect(use(wallet)).rejects.toMatchObject({ details: { result: { reason: 'credentials_renewed' } } });
      expect(await find(wallet)).toMatchObject({ invalidApi: false });
      for (let call = 0; call < 5; call++) {
        await expect(use(wallet)).rejects.toMatchObject({ details: { result: { walletDeleted: false } } });
        expect(await find(wallet)).toMatchObject({ invalidApi: true });
      }
      expect(renewals).toBe(1);
      harness.clock.advance(MINUTE_MS);
      await expect(use(wallet)).rejects.toMatchObject({ details: { result: { reason: 'credentials_renewed' } } });
      expect([renewals, (await find(wallet))?.invalidApi]).toEqual([2, true]);

      harness.exchanges.reset();
      await harness.get(WalletBalances).refresh(wallet, { autoDelete: true });
      expect(await find(wallet)).toMatchObject({ invalidApi: false });
    });

    it('do not flag the wallet when the renewal gets no response', async () => {
      const wallet = await connect({ accessLivesMs: HOUR_MS });
      harness.exchanges.balances = fails('credentials_invalid');
      harness.exchanges.keyInfo = fails('credentials_invalid');
      await expect(use(wallet)).rejects.toMatchObject({ details: { result: { reason: 'credentials_not_renewed' } } });
      expect(await find(wallet)).toMatchObject({ invalidApi: false });
    });

    describe('and a refresh token that the exchange refuses, too', () => {
      let wallet: Wallet;
      beforeEach(async () => {
        wallet = await connect({ accessLivesMs: HOUR_MS });
        harness.exchanges.balances = fails('credentials_invalid');
        harness.authorizations.onRefresh = authorizationFails('grant_ended');
      });

      it('delete the wallet', async () => {
        await expect(use(wallet)).rejects.toMatchObject({ details: { result: { walletDeleted: true } } });
        expect(await find(wallet)).toBeNull();
        expect(harness.authorizations.revoked).toEqual([]);
      });

      it('flag the wallet when the caller wants no deletion', async () => {
        await expect(use(wallet, { autoDelete: false })).rejects.toMatchObject({
          details: { result: { walletDeleted: false } },
        });
        expect(await find(wallet)).toMatchObject({ invalidApi: true });
      });

      it('flag and never delete the wallet after a time-out, because the exchange may have renewed the tokens', async () => {
        harness.exchanges.keyInfo = fails('credentials_invalid');
        harness.authorizations.onRefresh = authorizationFails('unavailable');
        await expect(use(wallet)).rejects.toMatchObject({ details: { result: { reason: 'credentials_not_renewed' } } });
        harness.clock.advance(FIRST_PAUSE_MS);
        harness.authorizations.onRefresh = authorizationFails('grant_ended');
        for (let call = 0; call < 3; call++) {
          await expect(use(wallet)).rejects.toMatchObject({ details: { result: { walletDeleted: false } } });
          expect(await find(wallet)).toMatchObject({ invalidApi: true });
        }
        expect(harness.authorizations.refreshed).toHaveLength(2);
      });

      it('flag and never delete the wallet in a restored database, which may lack a renewal', async () => {
        harness.exchanges.keyInfo = fails('credentials_invalid');
        await restoreDatabase();
        for (let call = 0; call < 2; call++) {
          await expect(use(wallet)).rejects.toMatchObject({ details: { result: { walletDeleted: false } } });
          expect(await find(wallet)).toMatchObject({ invalidApi: true });
        }
        const later = await connect({ accessLivesMs: HOUR_MS });
        await expect(use(later)).rejects.toMatchObject({ details: { result: { walletDeleted: true } } });
      });

      it('delete the wallet even after an earlier renewal that did not reach the exchange', async () => {
        harness.authorizations.onRefresh = authorizationFails('unavailable', { sent: false });
        await expect(use(wallet)).rejects.toMatchObject({ details: { result: { reason: 'credentials_not_renewed' } } });
        harness.clock.advance(FIRST_PAUSE_MS);
        harness.authorizations.onRefresh = authorizationFails('grant_ended');
        await expect(use(wallet)).rejects.toMatchObject({ details: { result: { walletDeleted: true } } });
      });

      it('flag the wallet while a hold needs the credentials', async () => {
        await hold(wallet);
        await expect(use(wallet)).rejects.toMatchObject({ details: { result: { walletDeleted: false } } });
        expect(await find(wallet)).toMatchObject({ invalidApi: true });
      });
    });
  });

  it('keep the flag of an ended grant while the access token works, until the account is connected again', async () => {
    const wallet = await connect({ accessLivesMs: ABOUT_TO_EXPIRE_MS });
    harness.authorizations.onRefresh = authorizationFails('grant_ended');
    await use(wallet);
    for (let round = 0; round < 2; round++) {
      await harness.get(WalletBalances).refresh(wallet, { autoDelete: true });
      expect(await find(wallet)).toMatchObject({ invalidApi: true });
    }
    await harness.replaceCredentials(project, wallet);
    expect(await find(wallet)).toMatchObject({ invalidApi: false });
  });

  describe('when the wallet is pinged', () => {
    const ping = (wallet: Wallet) => harness.get(PingWallet).execute(project, wallet.externalId);

    it('renew an expired token', async () => {
      harness.authorizations.onRefresh = () => answers('second');
      expect((await ping(await connect({ accessLivesMs: -1 }))).keyInfo).not.toBeNull();
    });

    it('flag the wallet only when the exchange has ended the grant', async () => {
      const wallet = await connect({ accessLivesMs: HOUR_MS });
      harness.exchanges.keyInfo = fails('credentials_invalid');
      harness.authorizations.onRefresh = () => answers('second');
      await expect(ping(wallet)).rejects.toMatchObject({ details: { result: { reason: 'credentials_renewed' } } });
      expect(await find(wallet)).toMatchObject({ invalidApi: false });
      harness.clock.advance(MINUTE_MS);
      harness.authorizations.onRefresh = authorizationFails('grant_ended');
      expect((await ping(wallet)).keyInfo).toBeNull();
      expect(await find(wallet)).toMatchObject({ invalidApi: true });
    });
  });

  describe('the grant of a deleted wallet', () => {
    const remove = (wallet: Wallet) => harness.get(DeleteWallet).execute(project, wallet.externalId);

    it('is revoked at the exchange', async () => {
      const wallet = await connect();
      await remove(wallet);
      expect(harness.authorizations.revoked).toEqual(['refresh-first']);
      expect(await grantOf(harness, wallet)).toBeNull();
    });

    it('does not prevent the deletion when its revocation fails or gets no response', async () => {
      harness.authorizations.onRevoke = authorizationFails('unavailable');
      await remove(await connect());
      harness.authorizations.onRevoke = () => new Promise(() => undefined);
      await remove(await connect());
      expect(harness.authorizations.revoked).toHaveLength(2);
    });

    it('stays renewable while a hold needs the credentials, and is revoked when the credentials are erased', async () => {
      const wallet = await connect({ accessLivesMs: -1 });
      const holder = v7();
      await hold(wallet, holder);
      await remove(wallet);
      expect(harness.authorizations.revoked).toEqual([]);
      harness.authorizations.onRefresh = () => answers('second');
      await (await harness.get(WalletSessions).openById(wallet.id)).balances();
      expect(tokensUsed()).toEqual(['access-second']);

      await harness.db.transaction((tx) => harness.get(Wallets).release(tx, wallet.id, holder));
      expect(await harness.get(EraseKeptCredentials).execute()).toBe(1);
      expect(harness.authorizations.revoked).toEqual(['refresh-second']);
      await expect(harness.get(WalletSessions).openById(wallet.id)).rejects.toMatchObject({ code: 'WALLET_NOT_FOUND' });
    });

    it('is kept for another holder when one holder releases the credentials', async () => {
      const wallet = await connect();
      const [one, other] = [v7(), v7()];
      await hold(wallet, one);
      await hold(wallet, other);
      await remove(wallet);
      await harness.db.transaction((tx) => harness.get(Wallets).release(tx, wallet.id, one));
      expect(await harness.get(EraseKeptCredentials).execute()).toBe(0);
      expect(await grantOf(harness, wallet)).not.toBeNull();
    });

    it('is not revoked when the exchange has already ended it', async () => {
      const wallet = await connect({ accessLivesMs: -1 });
      harness.authorizations.onRefresh = authorizationFails('grant_ended');
      await use(wallet);
      await remove(wallet);
      expect(harness.authorizations.revoked).toEqual([]);
    });
  });
});
