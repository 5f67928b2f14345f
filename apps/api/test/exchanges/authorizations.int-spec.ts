import {
  type Authorizations,
  ExchangeError,
  type Exchanges,
  type AccessKind,
  type AssetBalance,
  type Authorized,
  type ExchangeSession,
} from '#exchange';
import { createAuthorizations, createExchanges } from '#exchange/testing';
import { loadConfig } from '#platform/config';
import { Secret } from '#platform/crypto';
import { RunningClock } from '#platform/testing';
import { startSandboxExchange, type SandboxExchange } from '../../../sandbox-exchange/src/sandbox-exchange.js';

const REDIRECT = 'http://127.0.0.1:3000/v0/oauth2/exchange/callback';
const HOUR_MS = 3_600_000;

interface Decision {
  redirectTo: string;
  accountId: string;
  grantId: string | null;
}

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'none',
    (error: unknown) => (error instanceof Error && 'failure' in error ? error.failure : error),
  );

/**
 * The connectors use the authorization servers of the sandbox exchange over HTTP, and the credentials that these
 * servers issue.
 */
describe('authorizations at the sandbox exchange', () => {
  const clock = new RunningClock();
  let sandbox: SandboxExchange;
  let authorizations: Authorizations;
  let exchanges: Exchanges;
  let opened = 0;

  beforeAll(async () => {
    sandbox = await startSandboxExchange({ port: 0, now: () => clock.now() });
    const config = loadConfig({
      SANDBOX_URL: sandbox.url,
      EXCHANGE_CALLS_PER_SECOND: '1000',
      EXCHANGE_CALLS_BURST: '1000',
      EXCHANGE_TIMEOUT_MS: '2000',
    });
    authorizations = createAuthorizations(config, { clock });
    exchanges = createExchanges(config, { clock });
  });
  afterAll(async () => {
    await authorizations.onApplicationShutdown();
    await exchanges.onApplicationShutdown();
    await sandbox.close();
  });
  afterEach(() => control('DELETE', 'faults'));

  async function control<T>(method: string, path: string, body?: object): Promise<T> {
    const init =
      body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const answer = await fetch(`${sandbox.url}/control/${path}`, { method, ...init });
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  /**
   * Begins an authorization, decides it at the exchange as the account owner, and returns the function that finishes
   * it.
   */
  async function authorize(exchange: string, access: AccessKind[], choice: object = {}) {
    const target = { exchange, mode: 'test' } as const;
    const pending = await authorizations.begin(target, { redirectUri: REDIRECT, access });
    const decision = await control<Decision>('POST', 'oauth/authorize', { url: pending.url, ...choice });
    const { searchParams: parameters } = new URL(decision.redirectTo);
    const finish = (): Promise<Authorized> =>
      authorizations.finish(target, { parameters, redirectUri: REDIRECT, pending, access });
    return { decision, finish };
  }

  const open = (exchange: string, { credentials }: Authorized): Promise<ExchangeSession> =>
    exchanges.open({ exchange, mode: 'test', credentials, credentialId: `authorized ${++opened}` });

  const refresh = (exchange: string, { grant }: Authorized): Promise<Authorized> =>
    authorizations.refresh({ exchange, mode: 'test' }, grant?.refreshToken ?? new Secret('none'));

  const accessOf = (exchange: string): Readonly<Record<string, readonly AccessKind[]>> =>
    exchanges.find(exchange)?.permissionAccess ?? {};

  const has = (balances: AssetBalance[]): boolean => balances.some(({ total }) => !total.isZero());

  it.each(['kraken', 'coinbase', 'sandbox'])('%s: opens an account that its owner has authorized', async (exchange) => {
    const { finish } = await authorize(exchange, ['read', 'withdrawal']);
    const session = await open(exchange, await finish());
    expect(has(await session.balances())).toBe(true);
    const { permissions } = await session.keyInfo();
    const permissionAccess = accessOf(exchange);
    const mayWithdraw = permissions.some((permission) => permissionAccess[permission]?.includes('withdrawal'));
    // The permission to withdraw is requested only when the connector supports withdrawals.
    expect(mayWithdraw).toBe(exchanges.find(exchange)?.access.includes('withdrawal'));
  });

  it.each(['kraken', 'coinbase', 'sandbox'])('%s: obtains only the requested permissions', async (exchange) => {
    const { finish } = await authorize(exchange, ['read']);
    const { permissions } = await (await open(exchange, await finish())).keyInfo();
    const permissionAccess = accessOf(exchange);
    expect(permissions.length).toBeGreaterThan(0);
    expect(permissions.filter((permission) => permissionAccess[permission]?.some((kind) => kind !== 'read'))).toEqual(
      [],
    );
  });

  it('kraken: authenticates with a client secret that has special characters', async () => {
    const secret = 'a+b/c%2Bd:e==';
    await control('POST', 'oauth/clients', { clientId: 'our-id', secret, redirectUris: [REDIRECT] });
    const config = loadConfig({
      EXCHANGE_KRAKEN_URL: sandbox.url,
      OAUTH_KRAKEN_CLIENT_ID: 'our-id',
      OAUTH_KRAKEN_CLIENT_SECRET: secret,
    });
    const live = createAuthorizations(config, { clock });
    const target = { exchange: 'kraken', mode: 'live' } as const;
    const pending = await live.begin(target, { redirectUri: REDIRECT, access: ['read'] });
    const url = pending.url.replace('https://id.kraken.com', sandbox.url);
    const { redirectTo } = await control<Decision>('POST', 'oauth/authorize', { url });
    const { searchParams: parameters } = new URL(redirectTo);
    const { credentials } = await live.finish(target, { parameters, redirectUri: REDIRECT, pending, access: ['read'] });
    expect(credentials.apiSecret).toBeDefined();
    await live.onApplicationShutdown();
  });

  it.each(['kraken', 'coinbase', 'sandbox'])('%s: reports that the owner has denied access', async (exchange) => {
    const { finish } = await authorize(exchange, ['read'], { decision: 'deny' });
    expect(await failureOf(finish())).toBe('denied');
  });

  it.each(['kraken', 'coinbase', 'sandbox'])('%s: accepts an authorization code only once', async (exchange) => {
    const { finish } = await authorize(exchange, ['read']);
    await finish();
    expect(await failureOf(finish())).toBe('exchange_failed');
  });

  it.each([
    ['coinbase', ['wallet:accounts:read', 'offline_access']],
    ['sandbox', ['identity']],
  ])('%s: fails when the exchange grants less than was requested', async (exchange, scopes) => {
    const { finish } = await authorize(exchange, ['read'], { scopes });
    expect(await failureOf(finish())).toBe('insufficient_scope');
  });

  it('coinbase: opens all wallets of the account, although the exchange offers one wallet by default', async () => {
    const target = { exchange: 'coinbase', mode: 'test' } as const;
    const balancesBy = async (change: (url: URL) => void): Promise<AssetBalance[]> => {
      const pending = await authorizations.begin(target, { redirectUri: REDIRECT, access: ['read'] });
      const url = new URL(pending.url);
      change(url);
      const { redirectTo } = await control<Decision>('POST', 'oauth/authorize', { url: url.href });
      const { searchParams: parameters } = new URL(redirectTo);
      const back = { parameters, redirectUri: REDIRECT, pending, access: ['read'] as const };
      return (await open('coinbase', await authorizations.finish(target, back))).balances();
    };
    const all = await balancesBy(() => undefined);
    const picked = await balancesBy((url) => url.searchParams.delete('account'));
    expect(all.length).toBeGreaterThan(1);
    expect(picked).toHaveLength(1);
  });

  it('coinbase: fails when the exchange grants no refresh token', async () => {
    const scopes = ['wallet:accounts:read', 'wallet:transactions:read'];
    const { finish } = await authorize('coinbase', ['read'], { scopes });
    expect(await failureOf(finish())).toBe('insufficient_scope');
  });

  it.each(['coinbase', 'sandbox'])(
    '%s: renews an expired token, and accepts each refresh token once',
    async (exchange) => {
      const { finish } = await authorize(exchange, ['read']);
      const first = await finish();
      clock.advance(2 * HOUR_MS);
      await expect((await open(exchange, first)).balances()).rejects.toMatchObject({ kind: 'credentials_invalid' });
      const second = await refresh(exchange, first);
      expect(has(await (await open(exchange, second)).balances())).toBe(true);
      expect(second.grant?.refreshToken.reveal()).not.toBe(first.grant?.refreshToken.reveal());
      expect(second.grant?.accessExpiresAt?.getTime()).toBeGreaterThan(clock.now().getTime());
      expect(await failureOf(refresh(exchange, first))).toBe('grant_ended');
    },
  );

  it.each([
    ['sandbox', 'credentials_invalid'],
    ['coinbase', 'good'],
  ])('%s: a call with the old access token after an early renewal has the result %s', async (exchange, outcome) => {
    const { finish } = await authorize(exchange, ['read']);
    const first = await finish();
    const session = await open(exchange, first);
    const second = await refresh(exchange, first);
    const kindOf = (error: unknown): unknown => (error instanceof ExchangeError ? error.kind : error);
    expect(await session.balances().then(() => 'good', kindOf)).toBe(outcome);
    expect(has(await (await open(exchange, second)).balances())).toBe(true);
  });

  it.each(['coinbase', 'sandbox'])('%s: reports that the owner has revoked the grant', async (exchange) => {
    const { decision, finish } = await authorize(exchange, ['read']);
    const authorized = await finish();
    await control('POST', `oauth/grants/${decision.grantId}/revoke`);
    expect(await failureOf(refresh(exchange, authorized))).toBe('grant_ended');
    await expect((await open(exchange, authorized)).balances()).rejects.toMatchObject({ kind: 'credentials_invalid' });
  });

  it.each(['coinbase', 'sandbox'])('%s: revokes a grant', async (exchange) => {
    const { finish } = await authorize(exchange, ['read']);
    const authorized = await finish();
    await authorizations.revoke({ exchange, mode: 'test' }, authorized.grant?.refreshToken ?? new Secret('none'));
    await expect((await open(exchange, authorized)).balances()).rejects.toMatchObject({ kind: 'credentials_invalid' });
    expect(await failureOf(refresh(exchange, authorized))).toBe('grant_ended');
  });

  it.each(['error_before', 'malformed_after', 'answer_lost'])(
    'reports a failed renewal as unavailable, and not as the end of the grant, after the fault %s',
    async (fault) => {
      const { finish } = await authorize('sandbox', ['read']);
      const authorized = await finish();
      await control('POST', 'faults', { endpoint: 'oauth.partner.token', fault });
      expect(await failureOf(refresh('sandbox', authorized))).toBe('unavailable');
    },
  );

  it.each([
    ['sandbox', { fullName: 'Ada Lovelace', email: 'ada@example.com', iban: 'GB33BUKB20201555555555', country: 'GB' }],
    ['coinbase', { fullName: 'Ada Lovelace', email: 'ada@example.com', iban: null, country: 'GB' }],
    ['kraken', { fullName: null, email: null, iban: 'GB33BUKB20201555555555', country: null }],
  ])('%s: returns the identity of the account owner as far as the exchange supplies it', async (exchange, identity) => {
    const { decision, finish } = await authorize(exchange, ['read']);
    const authorized = await finish();
    await control('POST', `accounts/${decision.accountId}/identity`, {
      fullName: 'Ada Lovelace',
      email: 'ada@example.com',
      iban: 'GB33BUKB20201555555555',
      country: 'GB',
    });
    expect(await (await open(exchange, authorized)).identity?.read()).toEqual(identity);
  });

  it('kraken: reads the identity during the authorization, and connects without an identity when the read fails', async () => {
    const accountId = (await authorize('kraken', ['read'])).decision.accountId;
    const identity = { email: 'ada@example.com', iban: 'AA88N84GWWFLGRPM' };
    await control('POST', `accounts/${accountId}/identity`, identity);
    const told = await (await authorize('kraken', ['read'], { accountId })).finish();
    expect(told.identity).toEqual({ fullName: null, country: null, ...identity });
    await control('POST', 'faults', { endpoint: 'oauth.kraken.userinfo', fault: 'service_unavailable' });
    const untold = await (await authorize('kraken', ['read'], { accountId })).finish();
    expect(untold.identity).toBeUndefined();
    expect(has(await (await open('kraken', untold)).balances())).toBe(true);
  });

  it('kraken: deletes the new API key when the response that contains the key is malformed', async () => {
    const { finish } = await authorize('kraken', ['read']);
    await control('POST', 'faults', { endpoint: 'oauth.kraken.fast-api-key', fault: 'malformed_after' });
    expect(await failureOf(finish())).toBe('exchange_failed');
    const endpoint = 'oauth.kraken.fast-api-key.delete';
    const { requests } = await control<{ requests: { outcome: string }[] }>('GET', `requests?endpoint=${endpoint}`);
    expect(requests.map(({ outcome }) => outcome)).toEqual(['ok']);
  });

  it('kraken: deletes the API key of a discarded authorization', async () => {
    const authorized = await (await authorize('kraken', ['read'])).finish();
    const session = await open('kraken', authorized);
    expect(has(await session.balances())).toBe(true);
    for (let times = 0; times < 2; times++) {
      await authorizations.discard({ exchange: 'kraken', mode: 'test' }, authorized);
      await expect(session.balances()).rejects.toMatchObject({ kind: 'credentials_invalid' });
    }
  });

  it.each([
    ['coinbase', ['wallet:accounts:read', 'offline_access']],
    ['sandbox', ['identity']],
  ])('%s: revokes a grant that has too few permissions', async (exchange, scopes) => {
    const { decision, finish } = await authorize(exchange, ['read'], { scopes });
    expect(await failureOf(finish())).toBe('insufficient_scope');
    const { grants } = await control<{ grants: { id: string; revoked: boolean }[] }>('GET', 'oauth/grants');
    expect(grants.find(({ id }) => id === decision.grantId)).toMatchObject({ revoked: true });
  });

  describe('by a QR code', () => {
    const target = { exchange: 'sandbox', mode: 'test' } as const;
    const begin = () => authorizations.beginQr(target, { access: ['read', 'withdrawal'] });
    const move = (content: string, status: string, more: object = {}) =>
      control('POST', 'qr-logins', { content, status, ...more });
    const statusOf = async (id: Secret): Promise<string> => (await authorizations.readQr(target, id)).status;

    it('opens the account of the user who confirms', async () => {
      const { id, content } = await begin();
      expect(await statusOf(id)).toBe('waiting');
      await move(content, 'scanned');
      expect(await statusOf(id)).toBe('scanned');
      await move(content, 'confirmed');
      const state = await authorizations.readQr(target, id);
      if (state.status !== 'confirmed') throw new Error(state.status);
      expect(has(await (await open('sandbox', state.authorized)).balances())).toBe(true);
      expect(state.authorized.grant).not.toBeNull();
    });

    it.each(['denied', 'expired'])('reports that the login was %s', async (status) => {
      const { id, content } = await begin();
      await move(content, status);
      expect(await statusOf(id)).toBe(status);
    });

    it('expires at the time that the exchange has named', async () => {
      const { id, expiresAt } = await begin();
      clock.advance(expiresAt.getTime() - clock.now().getTime() + 1);
      expect(await statusOf(id)).toBe('expired');
    });

    it('fails when the exchange grants less than was requested', async () => {
      const { id, content } = await begin();
      await move(content, 'confirmed', { scopes: ['read'] });
      expect(await failureOf(authorizations.readQr(target, id))).toBe('insufficient_scope');
    });

    it('fails when the exchange issues no QR code', async () => {
      await control('POST', 'faults', { endpoint: 'partner.qr.begin', fault: 'service_unavailable' });
      expect(await failureOf(begin())).toBe('qr_unavailable');
    });
  });
});
