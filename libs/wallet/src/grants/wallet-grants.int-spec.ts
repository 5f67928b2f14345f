import pg from 'pg';
import { v7 } from 'uuid';
import type { ProjectIdentity } from '#access';
import { ExchangeError, type Authorized, type SessionTarget } from '#exchange';
import { DeleteWallet } from '../delete-wallet.js';
import { EraseKeptCredentials } from '../erase-kept-credentials.js';
import { PingWallet } from '../ping-wallet.js';
import { grantedWallet, grantOf, type GrantedWalletOptions } from '../testing/granted-wallet.js';
import { authorizationFails, authorizedAs } from '../testing/scripted-authorizations.js';
import { fails } from '../testing/scripted-exchanges.js';
import { holdCredentials } from '../testing/replace-credentials.js';
import { createWalletBed, type WalletBed } from '../testing/wallet-bed.js';
import { WalletBalances } from '../wallet-balances.service.js';
import { WalletSessions } from '../wallet-sessions.service.js';
import type { Wallet } from '../wallet.entity.js';
import { Wallets } from '../wallets.service.js';
import { RefreshGrant } from './refresh-grant.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Less than EXCHANGE_TIMEOUT_MS. */
const ABOUT_TO_EXPIRE_MS = 5_000;
/** EXECUTE_WAIT_MS */
const EXECUTION_MS = 25_000;
const FIRST_PAUSE_MS = 30_000;

describe('sessions of a wallet with a grant', () => {
  let bed: WalletBed;
  let beside: WalletBed;
  let project: ProjectIdentity;

  beforeAll(async () => {
    bed = await createWalletBed({ settings: { GRANT_WAIT_MS: '1000' } });
    beside = await createWalletBed({ beside: bed });
  });
  afterAll(async () => {
    await beside.close();
    await bed.close();
  });
  beforeEach(async () => {
    bed.exchanges.reset();
    bed.authorizations.reset();
    project = await bed.project('test');
  });

  const connect = (options: GrantedWalletOptions = {}): Promise<Wallet> => grantedWallet(bed, project, options);
  const answers = (name: string): Authorized =>
    authorizedAs(name, { accessExpiresAt: new Date(bed.clock.now().getTime() + HOUR_MS) });
  const tokenIn = ({ credentials }: SessionTarget): string => credentials.apiKey.reveal();
  const tokensUsed = (): string[] => bed.exchanges.opened.map(({ target }) => tokenIn(target));
  const use = (wallet: Wallet, autoDelete = true): Promise<unknown> =>
    bed.get(WalletSessions).use(wallet, { autoDelete }, (session) => session.balances());
  const find = (wallet: Wallet): Promise<Wallet | null> => bed.get(Wallets).find(project, wallet.externalId);
  const hold = (wallet: Wallet, holder?: string): Promise<void> => holdCredentials(bed, wallet, holder);
  async function restoreDatabase(): Promise<void> {
    const client = new pg.Client(bed.database.ownerUrl);
    await client.connect();
    await client.query(`update database_epochs set is_original = false, first_seen_at = $1`, [bed.clock.now()]);
    await client.end();
  }
  const refusing = (token: string) => (target: SessionTarget) => {
    if (tokenIn(target) === token) throw new ExchangeError('credentials_invalid', 'kraken', 'scripted');
    return [];
  };

  describe('whose token has expired', () => {
    it.each([
      ['a while ago', -HOUR_MS],
      ['almost', ABOUT_TO_EXPIRE_MS],
      ['in the time that an execution may take', EXECUTION_MS],
    ])('%s: another one is had first', async (_when, accessLivesMs) => {
      bed.authorizations.onRefresh = () => answers('second');
      await use(await connect({ accessLivesMs }));
      expect(tokensUsed()).toEqual(['access-second']);
    });

    it('not at all: nothing is renewed', async () => {
      await use(await connect({ accessLivesMs: HOUR_MS }));
      await use(await connect({ accessLivesMs: null }));
      expect(bed.authorizations.refreshed).toEqual([]);
    });

    it('in two processes at once: one asks, the other waits for it', async () => {
      const wallet = await connect({ accessLivesMs: -1 });
      bed.authorizations.onRefresh = () => answers('second');
      const work = (process: WalletBed) =>
        process.get(WalletSessions).use(wallet, { autoDelete: true }, (session) => session.balances());
      await Promise.all([work(bed), work(beside), work(bed), work(beside)]);
      expect(bed.authorizations.refreshed).toEqual(['refresh-first']);
      expect(tokensUsed()).toEqual(Array(4).fill('access-second'));
    });

    it('and nobody answers: that is told, proves nothing, and is not asked again at once', async () => {
      const wallet = await connect({ accessLivesMs: -1 });
      for (let call = 0; call < 2; call++) {
        await expect(use(wallet)).rejects.toMatchObject({
          code: 'WITHDRAWAL_PROVIDER_ERROR',
          details: { result: { reason: 'credentials_not_renewed' } },
        });
      }
      expect(bed.authorizations.refreshed).toHaveLength(1);
      expect(tokensUsed()).toEqual([]);
      expect(await find(wallet)).toMatchObject({ invalidApi: false });
      bed.clock.advance(FIRST_PAUSE_MS);
      bed.authorizations.onRefresh = () => answers('second');
      await use(wallet);
    });

    it('almost, and nobody answers: it is used as long as it lives', async () => {
      await use(await connect({ accessLivesMs: ABOUT_TO_EXPIRE_MS }));
      expect(tokensUsed()).toEqual(['access-first']);
    });

    it('almost, and somebody else is renewing it: it is used after a bounded wait', async () => {
      const wallet = await connect({ accessLivesMs: ABOUT_TO_EXPIRE_MS });
      bed.authorizations.onRefresh = () => new Promise(() => undefined);
      const { revision = '' } = (await grantOf(bed, wallet)) ?? {};
      void beside.get(RefreshGrant).execute(wallet.id, revision);
      await use(wallet);
      expect(tokensUsed()).toEqual(['access-first']);
    });

    it('and somebody else is renewing it: those who wait look as one', async () => {
      const wallet = await connect({ accessLivesMs: ABOUT_TO_EXPIRE_MS });
      bed.authorizations.onRefresh = () => new Promise(() => undefined);
      const { revision = '' } = (await grantOf(bed, wallet)) ?? {};
      void beside.get(RefreshGrant).execute(wallet.id, revision);
      const statements = await bed.statementsOf(async () => {
        await Promise.all(Array.from({ length: 20 }, () => use(wallet)));
      });
      // One look in 100 ms for GRANT_WAIT_MS.
      expect(statements.filter((sql) => sql.startsWith('update wallet_grants')).length).toBeLessThan(20);
    });

    it('with its grant: the exchange has the word, twice, before the wallet is deleted', async () => {
      const wallet = await connect({ accessLivesMs: -1 });
      bed.authorizations.onRefresh = authorizationFails('grant_ended');
      await use(wallet);
      expect(await find(wallet)).toMatchObject({ invalidApi: true });
      bed.exchanges.balances = fails('credentials_invalid');
      bed.exchanges.keyInfo = fails('credentials_invalid');
      await expect(use(wallet)).rejects.toMatchObject({ details: { result: { walletDeleted: true } } });
      expect(await find(wallet)).toBeNull();
      expect(bed.authorizations.refreshed).toHaveLength(1);
    });
  });

  describe('whose token the exchange refuses', () => {
    it('are told to come again when it can be renewed; nothing is marked or deleted', async () => {
      const wallet = await connect({ accessLivesMs: HOUR_MS });
      bed.exchanges.balances = refusing('access-first');
      bed.exchanges.keyInfo = fails('credentials_invalid');
      bed.authorizations.onRefresh = () => answers('second');
      await expect(use(wallet)).rejects.toMatchObject({
        code: 'WITHDRAWAL_PROVIDER_ERROR',
        message: expect.stringContaining('try again') as string,
        details: { result: { reason: 'credentials_renewed' } },
      });
      expect(await find(wallet)).toMatchObject({ invalidApi: false });
      await use(wallet);
      expect(tokensUsed()).toEqual(['access-first', 'access-second']);
    });

    it('are told the same when somebody else has renewed it meanwhile', async () => {
      const wallet = await connect({ accessLivesMs: HOUR_MS });
      bed.authorizations.onRefresh = () => answers('second');
      const { revision = '' } = (await grantOf(bed, wallet)) ?? {};
      const call = bed.get(WalletSessions).use(wallet, { autoDelete: true }, async () => {
        await beside.get(RefreshGrant).execute(wallet.id, revision);
        throw new ExchangeError('credentials_invalid', 'kraken', 'scripted');
      });
      await expect(call).rejects.toMatchObject({ details: { result: { reason: 'credentials_renewed' } } });
      expect(bed.authorizations.refreshed).toHaveLength(1);
    });

    it('again and again, however often it is renewed: it is renewed once a minute, and the wallet is marked', async () => {
      const wallet = await connect({ accessLivesMs: HOUR_MS });
      bed.exchanges.balances = fails('credentials_invalid');
      bed.exchanges.keyInfo = fails('credentials_invalid');
      let renewals = 0;
      bed.authorizations.onRefresh = () => answers(`renewed-${++renewals}`);
      await expect(use(wallet)).rejects.toMatchObject({ details: { result: { reason: 'credentials_renewed' } } });
      expect(await find(wallet)).toMatchObject({ invalidApi: false });
      for (let call = 0; call < 5; call++) {
        await expect(use(wallet)).rejects.toMatchObject({ details: { result: { walletDeleted: false } } });
        expect(await find(wallet)).toMatchObject({ invalidApi: true });
      }
      expect(renewals).toBe(1);
      bed.clock.advance(MINUTE_MS);
      await expect(use(wallet)).rejects.toMatchObject({ details: { result: { reason: 'credentials_renewed' } } });
      expect([renewals, (await find(wallet))?.invalidApi]).toEqual([2, true]);

      bed.exchanges.reset();
      await bed.get(WalletBalances).refresh(wallet, { autoDelete: true });
      expect(await find(wallet)).toMatchObject({ invalidApi: false });
    });

    it('prove nothing when the refresh token cannot be tried', async () => {
      const wallet = await connect({ accessLivesMs: HOUR_MS });
      bed.exchanges.balances = fails('credentials_invalid');
      bed.exchanges.keyInfo = fails('credentials_invalid');
      await expect(use(wallet)).rejects.toMatchObject({ details: { result: { reason: 'credentials_not_renewed' } } });
      expect(await find(wallet)).toMatchObject({ invalidApi: false });
    });

    describe('as it does the refresh token', () => {
      let wallet: Wallet;
      beforeEach(async () => {
        wallet = await connect({ accessLivesMs: HOUR_MS });
        bed.exchanges.balances = fails('credentials_invalid');
        bed.authorizations.onRefresh = authorizationFails('grant_ended');
      });

      it('are deleted', async () => {
        await expect(use(wallet)).rejects.toMatchObject({ details: { result: { walletDeleted: true } } });
        expect(await find(wallet)).toBeNull();
        expect(bed.authorizations.revoked).toEqual([]);
      });

      it('are marked where the caller wants no deletion', async () => {
        await expect(use(wallet, false)).rejects.toMatchObject({ details: { result: { walletDeleted: false } } });
        expect(await find(wallet)).toMatchObject({ invalidApi: true });
      });

      it('after a time-out that may have used it up: are marked, again and again, and never deleted', async () => {
        bed.exchanges.keyInfo = fails('credentials_invalid');
        bed.authorizations.onRefresh = authorizationFails('unavailable');
        await expect(use(wallet)).rejects.toMatchObject({ details: { result: { reason: 'credentials_not_renewed' } } });
        bed.clock.advance(FIRST_PAUSE_MS);
        bed.authorizations.onRefresh = authorizationFails('grant_ended');
        for (let call = 0; call < 3; call++) {
          await expect(use(wallet)).rejects.toMatchObject({ details: { result: { walletDeleted: false } } });
          expect(await find(wallet)).toMatchObject({ invalidApi: true });
        }
        expect(bed.authorizations.refreshed).toHaveLength(2);
      });

      it('in a database that was restored, which may have forgotten a renewal: are marked and never deleted', async () => {
        bed.exchanges.keyInfo = fails('credentials_invalid');
        await restoreDatabase();
        for (let call = 0; call < 2; call++) {
          await expect(use(wallet)).rejects.toMatchObject({ details: { result: { walletDeleted: false } } });
          expect(await find(wallet)).toMatchObject({ invalidApi: true });
        }
        const later = await connect({ accessLivesMs: HOUR_MS });
        await expect(use(later)).rejects.toMatchObject({ details: { result: { walletDeleted: true } } });
      });

      it('after an attempt that it has not heard of: are deleted', async () => {
        bed.authorizations.onRefresh = authorizationFails('unavailable', { sent: false });
        await expect(use(wallet)).rejects.toMatchObject({ details: { result: { reason: 'credentials_not_renewed' } } });
        bed.clock.advance(FIRST_PAUSE_MS);
        bed.authorizations.onRefresh = authorizationFails('grant_ended');
        await expect(use(wallet)).rejects.toMatchObject({ details: { result: { walletDeleted: true } } });
      });

      it('are marked while something holds the credentials', async () => {
        await hold(wallet);
        await expect(use(wallet)).rejects.toMatchObject({ details: { result: { walletDeleted: false } } });
        expect(await find(wallet)).toMatchObject({ invalidApi: true });
      });
    });
  });

  it('keep the mark of an ended grant while the access token works, until the account is connected again', async () => {
    const wallet = await connect({ accessLivesMs: ABOUT_TO_EXPIRE_MS });
    bed.authorizations.onRefresh = authorizationFails('grant_ended');
    await use(wallet);
    for (let round = 0; round < 2; round++) {
      await bed.get(WalletBalances).refresh(wallet, { autoDelete: true });
      expect(await find(wallet)).toMatchObject({ invalidApi: true });
    }
    await bed.replaceCredentials(project, wallet);
    expect(await find(wallet)).toMatchObject({ invalidApi: false });
  });

  describe('when they are pinged', () => {
    const ping = (wallet: Wallet) => bed.get(PingWallet).execute(project, wallet.externalId);

    it('renew an expired token', async () => {
      bed.authorizations.onRefresh = () => answers('second');
      expect((await ping(await connect({ accessLivesMs: -1 }))).keyInfo).not.toBeNull();
    });

    it('are valid as long as the grant is', async () => {
      const wallet = await connect({ accessLivesMs: HOUR_MS });
      bed.exchanges.keyInfo = fails('credentials_invalid');
      bed.authorizations.onRefresh = () => answers('second');
      await expect(ping(wallet)).rejects.toMatchObject({ details: { result: { reason: 'credentials_renewed' } } });
      expect(await find(wallet)).toMatchObject({ invalidApi: false });
      bed.clock.advance(MINUTE_MS);
      bed.authorizations.onRefresh = authorizationFails('grant_ended');
      expect((await ping(wallet)).keyInfo).toBeNull();
      expect(await find(wallet)).toMatchObject({ invalidApi: true });
    });
  });

  describe('when the wallet is deleted', () => {
    const remove = (wallet: Wallet) => bed.get(DeleteWallet).execute(project, wallet.externalId);

    it('have the exchange told', async () => {
      const wallet = await connect();
      await remove(wallet);
      expect(bed.authorizations.revoked).toEqual(['refresh-first']);
      expect(await grantOf(bed, wallet)).toBeNull();
    });

    it('do not fail with it, nor wait for it without end', async () => {
      bed.authorizations.onRevoke = authorizationFails('unavailable');
      await remove(await connect());
      bed.authorizations.onRevoke = () => new Promise(() => undefined);
      await remove(await connect());
      expect(bed.authorizations.revoked).toHaveLength(2);
    });

    it('stay renewable while something holds the credentials; the exchange is told when they are erased', async () => {
      const wallet = await connect({ accessLivesMs: -1 });
      const holder = v7();
      await hold(wallet, holder);
      await remove(wallet);
      expect(bed.authorizations.revoked).toEqual([]);
      bed.authorizations.onRefresh = () => answers('second');
      await (await bed.get(WalletSessions).openById(wallet.id)).balances();
      expect(tokensUsed()).toEqual(['access-second']);

      await bed.db.transaction((tx) => bed.get(Wallets).release(tx, wallet.id, holder));
      expect(await bed.get(EraseKeptCredentials).execute()).toBe(1);
      expect(bed.authorizations.revoked).toEqual(['refresh-second']);
      await expect(bed.get(WalletSessions).openById(wallet.id)).rejects.toMatchObject({ code: 'WALLET_NOT_FOUND' });
    });

    it('are kept for another holder when one lets go', async () => {
      const wallet = await connect();
      const [one, other] = [v7(), v7()];
      await hold(wallet, one);
      await hold(wallet, other);
      await remove(wallet);
      await bed.db.transaction((tx) => bed.get(Wallets).release(tx, wallet.id, one));
      expect(await bed.get(EraseKeptCredentials).execute()).toBe(0);
      expect(await grantOf(bed, wallet)).not.toBeNull();
    });

    it('have nobody told when the grant has ended', async () => {
      const wallet = await connect({ accessLivesMs: -1 });
      bed.authorizations.onRefresh = authorizationFails('grant_ended');
      await use(wallet);
      await remove(wallet);
      expect(bed.authorizations.revoked).toEqual([]);
    });
  });
});
