import { Amount } from '#money';
import type { ProjectIdentity } from '#access';
import { Clock } from '#platform/clock';
import { Secret } from '#platform/crypto';
import { InvalidRequest, RateLimitExceeded, ValidationFailed } from '#platform/errors';
import { ProviderError } from '#exchange';
import { ConnectWallet, type ConnectWalletInput } from './connect-wallet.js';
import { DeleteWallet } from '../deleting/delete-wallet.js';
import { GetWallet } from '../reading/get-wallet.js';
import { ListWallets } from '../reading/list-wallets.js';
import { fails } from '../testing/scripted-exchanges.js';
import { createWalletHarness, type WalletHarness } from '../testing/wallet-harness.js';
import { toWalletResponse } from '../api/wallet.dto.js';
import { WalletInvalidCredentials, WalletNotFound } from '../wallets/wallet.errors.js';
import { WalletSessions } from '../sessions/wallet-sessions.service.js';
import { Wallets } from '../wallets/wallets.service.js';

const btc = { asset: 'BTC', free: Amount.of('1'), used: Amount.of('0.5'), total: Amount.of('1.5') };

function input(externalWalletId: string, given: Partial<ConnectWalletInput> = {}): ConnectWalletInput {
  const credentials = { apiKey: new Secret('canary-key'), apiSecret: new Secret('canary-secret') };
  return { externalWalletId, exchange: 'kraken', credentials, ...given };
}

describe('connecting a wallet', () => {
  let harness: WalletHarness;
  let connect: ConnectWallet;
  let project: ProjectIdentity;

  beforeAll(async () => {
    harness = await createWalletHarness();
    connect = harness.get(ConnectWallet);
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    harness.exchanges.reset();
    project = await harness.project('test');
  });

  const rows = (externalWalletId: string): Promise<{ id: string; sealed: object | null }[]> =>
    harness.db.query(
      `select w.id, c.sealed from wallets w left join wallet_credentials c on c.wallet_id = w.id
        where w.project_id = $1 and w.external_id = $2`,
      [project.id, externalWalletId],
    );

  it('stores the wallet and its balances, without balances of zero, when the exchange accepts the credentials', async () => {
    harness.exchanges.balances = () => [
      btc,
      { ...btc, asset: 'DUST', free: Amount.zero, used: Amount.zero, total: Amount.zero },
    ];
    const { wallet, balances, created } = await connect.execute(project, input('w'));
    expect(created).toBe(true);
    expect(wallet).toMatchObject({ externalId: 'w', exchange: 'kraken', projectId: project.id, invalidApi: false });
    expect(wallet.lastSyncAt).toBeInstanceOf(Date);
    expect(balances.map(({ asset, total }) => [asset, total.toString()])).toEqual([['BTC', '1.5']]);
    expect(harness.exchanges.opened[0]).toMatchObject({ fresh: true, target: { exchange: 'kraken', mode: 'test' } });
  });

  it('stores nothing when the exchange answers that the credentials are invalid', async () => {
    harness.exchanges.keyInfo = fails('credentials_invalid');
    await expect(connect.execute(project, input('w'))).rejects.toThrow(WalletInvalidCredentials);
    expect(await rows('w')).toEqual([]);
  });

  it.each(['unavailable', 'rate_limited', 'permission_missing', 'ip_not_allowed'] as const)(
    'stores nothing, and throws ProviderError, when the test of the credentials ends in %s',
    async (kind) => {
      harness.exchanges.keyInfo = fails(kind);
      await expect(connect.execute(project, input('w'))).rejects.toThrow(ProviderError);
      expect(await rows('w')).toEqual([]);
    },
  );

  it('sends only thirty of 300 invalid keys to the exchange when all are connected at once', async () => {
    const asked = new Set<string>();
    harness.exchanges.keyInfo = (target) => {
      asked.add(target.credentials.apiKey.reveal());
      return fails('credentials_invalid')();
    };
    const random = (index: number) =>
      input(`w${index}`, { credentials: { apiKey: new Secret(`key-${index}`), apiSecret: new Secret('secret') } });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 300 }, (_, index) => connect.execute(project, random(index))),
    );
    expect(asked.size).toBe(30);
    const codes = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : outcome) as object);
    const refused = {
      code: 'GENERIC_RATE_LIMIT_EXCEEDED',
      status: 429,
      retryAfterSeconds: expect.any(Number) as number,
    };
    expect(codes.filter((code) => code instanceof WalletInvalidCredentials)).toHaveLength(30);
    expect(codes.filter((code) => code instanceof RateLimitExceeded)).toHaveLength(270);
    await expect(connect.inspect(project, random(300))).rejects.toMatchObject(refused);
    expect(asked.size).toBe(30);
    harness.exchanges.reset();
    expect((await connect.execute(await harness.project('test'), input('w'))).created).toBe(true);
  });

  it('connects even when the balances cannot be read', async () => {
    harness.exchanges.balances = fails('unavailable');
    const { wallet, balances } = await connect.execute(project, input('w'));
    expect(wallet.lastSyncAt).toBeNull();
    expect(balances).toEqual([]);
  });

  it.each([
    ['okx', ['apiKey', 'apiSecret'], ['apiPassphrase']],
    ['okx', ['apiPassphrase'], ['apiKey', 'apiSecret']],
    ['kraken', ['apiKey'], ['apiSecret']],
    ['kraken', ['apiSecret'], ['apiKey']],
    ['kraken', [], ['apiKey', 'apiSecret']],
    ['sandbox', [], ['apiKey']],
    ['sandbox', ['apiSecret'], ['apiKey']],
  ])('names each credential of %s that is missing when the caller sends %j', async (exchange, given, missing) => {
    const credentials = Object.fromEntries(given.map((field) => [field, new Secret('given')]));
    const refusal = connect.execute(project, input('w', { exchange, credentials }));
    await expect(refusal).rejects.toThrow(ValidationFailed);
    await expect(refusal).rejects.toMatchObject({
      details: {
        result: { fields: missing.map((field) => ({ field, message: `${field} is required by ${exchange}` })) },
      },
    });
    expect(harness.exchanges.opened).toEqual([]);
  });

  it('keeps the region of a key, and refuses a region that the exchange does not have', async () => {
    const keyOf = (apiRegion: string) => ({
      ...input('w').credentials,
      apiPassphrase: new Secret('p'),
      apiRegion: new Secret(apiRegion),
    });
    const { wallet } = await connect.execute(project, input('w', { exchange: 'okx', credentials: keyOf('eea') }));
    await harness.get(WalletSessions).use(wallet, { autoDelete: true }, () => Promise.resolve());
    expect(harness.exchanges.opened.map(({ target }) => target.credentials.apiRegion?.reveal())).toEqual([
      'eea',
      'eea',
      'eea',
    ]);
    for (const [exchange, message] of [
      ['okx', 'apiRegion: use one of global, eea'],
      ['kraken', 'apiRegion: kraken has no regions: leave apiRegion out'],
    ] as const) {
      const refusal = connect.execute(project, input('other', { exchange, credentials: keyOf('mars') }));
      await expect(refusal).rejects.toMatchObject({
        details: { result: { fields: [{ field: 'apiRegion', message }] } },
      });
    }
  });

  it('stores no credential that the exchange does not need', async () => {
    const { credentials } = input('w');
    await connect.execute(project, input('w', { credentials: { ...credentials, apiPassphrase: new Secret('extra') } }));
    await connect.execute(project, input('token', { exchange: 'sandbox', credentials }));
    const kept = harness.exchanges.opened.map(({ target }) => Object.entries({ ...target.credentials }));
    expect(kept.map((fields) => fields.flatMap(([field, secret]) => (secret === undefined ? [] : [field])))).toEqual([
      ['apiKey', 'apiSecret'],
      ['apiKey', 'apiSecret'],
      ['apiKey'],
      ['apiKey'],
    ]);
  });

  it('opens a session for a wallet whose only credential is a token', async () => {
    const credentials = { apiKey: new Secret('canary-token') };
    const { wallet } = await connect.execute(project, input('w', { exchange: 'sandbox', credentials }));
    const use = harness
      .get(WalletSessions)
      .use(wallet, { autoDelete: true }, async () => harness.exchanges.opened.at(-1));
    expect((await use)?.target.credentials.apiKey.reveal()).toBe('canary-token');
    expect((await rows('w'))[0]?.sealed).toHaveProperty('fields.apiKey.text');
    expect(JSON.stringify(await rows('w'))).not.toMatch(/canary|apiSecret/);
  });

  it.each([
    ['test', 'unheard-of', ['kraken', 'okx', 'sandbox']],
    ['test', 'gemini', ['kraken', 'okx', 'sandbox']],
    ['live', 'sandbox', ['kraken', 'okx', 'gemini']],
  ] as const)(
    'refuses, in a %s project, the exchange %s, and lists the supported exchanges',
    async (mode, exchange, supported) => {
      project = await harness.project(mode);
      const refusal = connect.execute(project, input('w', { exchange }));
      await expect(refusal).rejects.toThrow(InvalidRequest);
      await expect(refusal).rejects.toMatchObject({ status: 400, details: { supportedExchanges: supported } });
    },
  );

  it('keeps the wallet, clears its flag and uses the new key when credentials of the same exchange replace the old ones', async () => {
    const first = await connect.execute(project, input('w'));
    await harness.db.query(`update wallets set invalid_api = true where id = $1`, [first.wallet.id]);
    const before = await harness.credentialId(first.wallet.id);
    const again = await connect.execute(
      project,
      input('w', { credentials: { apiKey: new Secret('second-key'), apiSecret: new Secret('second-secret') } }),
    );
    expect(again.created).toBe(false);
    expect(again.wallet).toMatchObject({ id: first.wallet.id, createdAt: first.wallet.createdAt, invalidApi: false });
    expect(await harness.credentialId(first.wallet.id)).not.toBe(before);
    const key = await harness
      .get(WalletSessions)
      .use(again.wallet, { autoDelete: true }, async () =>
        harness.exchanges.opened.at(-1)?.target.credentials.apiKey.reveal(),
      );
    expect(key).toBe('second-key');
  });

  it('shows no balances of replaced credentials, even while the balances of the new credentials cannot be read', async () => {
    const other = { apiKey: new Secret('other-key'), apiSecret: new Secret('other-secret') };
    harness.exchanges.balances = () => [btc, { ...btc, asset: 'ETH' }];
    await connect.execute(project, input('w'));
    harness.exchanges.balances = fails('unavailable');
    const replaced = await connect.execute(project, input('w', { credentials: other }));
    expect(replaced).toMatchObject({ created: false, wallet: { lastSyncAt: null }, balances: [] });
    const { entries } = await harness.get(ListWallets).execute(project, { page: 0, limit: 1 }, { withBalances: true });
    expect(entries).toMatchObject([{ wallet: { externalId: 'w', lastSyncAt: null }, balances: [] }]);
    harness.exchanges.balances = () => [btc];
    const { balances } = await connect.execute(project, input('w', { credentials: other }));
    expect(balances.map(({ asset }) => asset)).toEqual(['BTC']);
  });

  it('does not treat equal credentials as a replacement', async () => {
    const { wallet } = await connect.execute(project, input('w'));
    const before = await harness.credentialId(wallet.id);
    const connected = harness.get(Clock).now();
    await harness.db.query(`update wallets set invalid_api = true where id = $1`, [wallet.id]);
    const again = await connect.execute(project, input('w'));
    expect(again).toMatchObject({ created: false, wallet: { id: wallet.id, invalidApi: false } });
    expect(await harness.credentialId(wallet.id)).toBe(before);
    expect(await harness.get(Wallets).hasNewCredentials(wallet.id, connected)).toBe(false);
  });

  it('keeps the stored credentials, without a flag, when the exchange refuses the new credentials', async () => {
    const { wallet } = await connect.execute(project, input('w'));
    const before = await harness.credentialId(wallet.id);
    const credentials = { apiKey: new Secret('refused-key'), apiSecret: new Secret('refused-secret') };
    harness.exchanges.keyInfo = fails('credentials_invalid');
    await expect(connect.execute(project, input('w', { credentials }))).rejects.toThrow(WalletInvalidCredentials);
    expect(await harness.credentialId(wallet.id)).toBe(before);
    expect((await harness.get(GetWallet).execute(project, 'w')).wallet.invalidApi).toBe(false);
  });

  it('refuses a walletId that is connected to another exchange', async () => {
    await connect.execute(project, input('w'));
    const { credentials } = input('w');
    const other = input('w', { exchange: 'sandbox', credentials });
    await expect(connect.execute(project, other)).rejects.toThrow(InvalidRequest);
    expect((await harness.get(GetWallet).execute(project, 'w')).wallet.exchange).toBe('kraken');
  });

  it('creates one wallet for concurrent connects of one walletId, and every connect succeeds', async () => {
    const results = await Promise.all(Array.from({ length: 8 }, () => connect.execute(project, input('w'))));
    expect(new Set(results.map(({ wallet }) => wallet.id)).size).toBe(1);
    expect(results.filter(({ created }) => created)).toHaveLength(1);
    expect(await rows('w')).toHaveLength(1);
  });

  it('connects only one of two exchanges when both are connected with one walletId at once', async () => {
    const results = await Promise.allSettled(
      ['kraken', 'sandbox'].map((exchange) => connect.execute(project, input('w', { exchange }))),
    );
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(1);
    expect(refused[0]?.reason).toBeInstanceOf(InvalidRequest);
  });

  it('creates a new wallet for the walletId of a deleted wallet', async () => {
    const first = await connect.execute(project, input('w'));
    await harness.get(DeleteWallet).execute(project, 'w');
    const second = await connect.execute(project, input('w', { exchange: 'sandbox' }));
    expect(second.created).toBe(true);
    expect(second.wallet.id).not.toBe(first.wallet.id);
  });

  describe('with onlyNew', () => {
    const onlyNew = (externalWalletId: string) => connect.execute(project, input(externalWalletId, { onlyNew: true }));
    const REFUSAL = { code: 'GENERIC_INVALID_REQUEST', status: 409 };

    /** Makes the exchange run `work` when it tests the credentials of the next connect. */
    function meanwhile(work: () => Promise<void>): void {
      const open = harness.exchanges.openFresh.bind(harness.exchanges);
      harness.exchanges.openFresh = async (target) => {
        harness.exchanges.openFresh = open;
        await work();
        return open(target);
      };
    }

    it('connects a walletId that was never used', async () => {
      expect((await onlyNew('new')).created).toBe(true);
    });

    it('connects a walletId that only other projects have connected or deleted', async () => {
      const other = await harness.project('test');
      for (const externalId of ['theirs', 'deleted']) await connect.execute(other, input(externalId));
      await harness.get(DeleteWallet).execute(other, 'deleted');
      for (const externalId of ['theirs', 'deleted']) expect((await onlyNew(externalId)).created).toBe(true);
    });

    it('refuses the walletId of a connected wallet, and of a deleted wallet', async () => {
      await connect.execute(project, input('had'));
      await expect(onlyNew('had')).rejects.toMatchObject(REFUSAL);
      await harness.get(DeleteWallet).execute(project, 'had');
      const asked = harness.exchanges.opened.length;
      await expect(onlyNew('had')).rejects.toMatchObject(REFUSAL);
      expect(harness.exchanges.opened).toHaveLength(asked);
      expect((await onlyNew('another')).created).toBe(true);
    });

    it('refuses a walletId that another call connected and deleted while the exchange tested the credentials', async () => {
      meanwhile(async () => {
        await connect.execute(project, input('had'));
        await harness.get(DeleteWallet).execute(project, 'had');
      });
      await expect(onlyNew('had')).rejects.toMatchObject(REFUSAL);
      expect(await rows('had')).toHaveLength(1);
    });

    it('refuses a walletId whose wallet is being deleted at the same moment', async () => {
      let commit: () => void = () => undefined;
      let deletion = Promise.resolve();
      meanwhile(async () => {
        const { wallet } = await connect.execute(project, input('had'));
        await new Promise<void>((deleted) => {
          deletion = harness.db.transaction(async (tx) => {
            await harness.db.query(`update wallets set deleted_at = now() where id = $1`, [wallet.id], tx);
            deleted();
            await new Promise<void>((resolve) => (commit = resolve));
          });
        });
      });
      const refused = expect(onlyNew('had')).rejects.toMatchObject(REFUSAL);
      await harness.untilBlocked();
      commit();
      await Promise.all([deletion, refused]);
      expect(await rows('had')).toHaveLength(1);
    });

    it('lets only one of two concurrent connects of one walletId succeed', async () => {
      const outcomes = await Promise.allSettled([onlyNew('both'), onlyNew('both')]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    });
  });

  it('keeps equal walletIds of two projects apart', async () => {
    const other = await harness.project('test');
    const mine = await connect.execute(project, input('w'));
    const theirs = await connect.execute(other, input('w', { exchange: 'sandbox' }));
    expect(theirs.wallet.id).not.toBe(mine.wallet.id);
    expect((await harness.get(GetWallet).execute(project, 'w')).wallet.exchange).toBe('kraken');
    await harness.get(DeleteWallet).execute(other, 'w');
    expect((await harness.get(GetWallet).execute(project, 'w')).wallet.id).toBe(mine.wallet.id);
    await expect(harness.get(GetWallet).execute(other, 'w')).rejects.toThrow(WalletNotFound);
  });

  it('shows no secret in the response, and stores none in plain text', async () => {
    const connected = await connect.execute(project, input('w'));
    expect(JSON.stringify([connected, toWalletResponse(connected, [])])).not.toContain('canary');
    expect(JSON.stringify(await rows('w'))).not.toContain('canary');
    expect((await rows('w'))[0]?.sealed).toHaveProperty('fields.apiSecret.text');
  });

  it('cannot open sealed credentials that were copied from another wallet', async () => {
    const mine = await connect.execute(project, input('mine'));
    const theirs = await connect.execute(project, input('theirs'));
    await harness.db.query(
      `update wallet_credentials set sealed = (select sealed from wallet_credentials where wallet_id = $1) where wallet_id = $2`,
      [mine.wallet.id, theirs.wallet.id],
    );
    const use = harness.get(WalletSessions).use(theirs.wallet, { autoDelete: true }, async () => 'opened');
    await expect(use).rejects.toThrow(
      'the sealed record cannot be decrypted: it was altered or copied, or its key is missing',
    );
    expect(await harness.get(WalletSessions).use(mine.wallet, { autoDelete: true }, async () => 'opened')).toBe(
      'opened',
    );
  });
});
