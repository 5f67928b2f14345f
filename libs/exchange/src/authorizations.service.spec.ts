import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { DataSource } from 'typeorm';
import { InvalidConfig, loadConfig } from '#platform/config';
import { Secret } from '#platform/crypto';
import { Database, InsideTransaction } from '#platform/database';
import { Metrics } from '#platform/metrics';
import type { AccessKind, PendingAuthorization } from './authorization.port.js';
import { Authorizations } from './authorizations.service.js';
import { failing } from './testing/failing-authorization.js';
import { ManualClock } from './testing/manual-clock.js';
import { StubExchange, type ReceivedCall } from './testing/stub-exchange.js';

const REDIRECT = 'https://connect.example.com/v0/oauth2/coinbase/callback';
const ACCESS = 'canary-access-token';
const REFRESH = 'canary-refresh-token';
const CODE = 'canary-code';
const SCOPE = 'wallet:accounts:read wallet:transactions:read';
const COINBASE = { exchange: 'coinbase', mode: 'test' } as const;
const KRAKEN = { exchange: 'kraken', mode: 'test' } as const;
const SANDBOX = { exchange: 'sandbox', mode: 'test' } as const;
const SECONDS = 1_000;
const DAYS = 86_400 * SECONDS;

/** coinbase-app/oauth2-integration/reference: the answer of the token endpoint. */
const issued = { access_token: ACCESS, token_type: 'bearer', expires_in: 3_600, refresh_token: REFRESH, scope: SCOPE };

const answer = (response: ServerResponse, status: number, body: unknown): undefined => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
};

describe('Authorizations', () => {
  const clock = new ManualClock();
  let stub: StubExchange;
  let authorizations: Authorizations;

  const start = (settings: Record<string, string> = {}): Authorizations => {
    const config = loadConfig({ SANDBOX_URL: stub.url, EXCHANGE_TIMEOUT_MS: '300', ...settings });
    return new Authorizations(config, clock, new Metrics());
  };

  beforeAll(async () => {
    stub = await StubExchange.start();
  });
  afterAll(() => stub.close());
  beforeEach(() => {
    authorizations = start();
    stub.calls.length = 0;
    stub.on('POST /oauth2/token', () => issued);
  });
  afterEach(() => authorizations.onApplicationShutdown());

  const begin = (target = COINBASE as { exchange: string; mode: 'test' }, access: AccessKind[] = ['read']) =>
    authorizations.begin(target, { redirectUri: REDIRECT, access });

  const back = (
    pending: PendingAuthorization,
    parameters: Record<string, string> = { code: CODE, state: pending.state.reveal() },
    access: AccessKind[] = ['read'],
  ) => ({ parameters: new URLSearchParams(parameters), redirectUri: REDIRECT, pending, access });

  const finish = async (access: AccessKind[] = ['read']) => {
    const pending = await begin(COINBASE, access);
    return authorizations.finish(COINBASE, back(pending, undefined, access));
  };

  describe('begin', () => {
    it('sends the browser with PKCE, state and exactly the scopes of what is wanted', async () => {
      const pending = await begin(COINBASE, ['read', 'withdrawal']);
      const url = new URL(pending.url);
      expect(`${url.origin}${url.pathname}`).toBe(`${stub.url}/oauth2/auth`);
      expect(Object.fromEntries(url.searchParams)).toEqual({
        response_type: 'code',
        client_id: 'causeway',
        redirect_uri: REDIRECT,
        // Not one wallet that the person picks.
        account: 'all',
        scope: `${SCOPE} wallet:user:read wallet:user:email offline_access`,
        state: pending.state.reveal(),
        code_challenge_method: 'S256',
        code_challenge: createHash('sha256').update(pending.codeVerifier.reveal()).digest('base64url'),
      });
      expect(Buffer.from(pending.state.reveal(), 'base64url')).toHaveLength(32);
      expect((await begin()).state.reveal()).not.toBe(pending.state.reveal());
      expect(stub.calls).toEqual([]);
    });

    it('sends the browser where browsers reach the sandbox exchange', async () => {
      const elsewhere = start({ SANDBOX_PUBLIC_URL: 'https://sandbox.example.com/' });
      const { url } = await elsewhere.begin(SANDBOX, { redirectUri: REDIRECT, access: ['read'] });
      expect(url).toMatch(/^https:\/\/sandbox\.example\.com\/partner\/oauth\/authorize\?/);
      await elsewhere.onApplicationShutdown();
    });

    it('goes to the real exchange for live projects, as what is configured', async () => {
      const live = start({
        OAUTH_KRAKEN_CLIENT_ID: 'our-id',
        OAUTH_COINBASE_CLIENT_ID: 'our-other',
        OAUTH_COINBASE_CLIENT_SECRET: 'our-canary-secret',
      });
      const urlOf = async (exchange: string): Promise<URL> =>
        new URL((await live.begin({ exchange, mode: 'live' }, { redirectUri: REDIRECT, access: ['read'] })).url);
      const [kraken, coinbase] = [await urlOf('kraken'), await urlOf('coinbase')];
      expect([kraken.origin + kraken.pathname, kraken.searchParams.get('client_id')]).toEqual([
        'https://id.kraken.com/oauth/authorize',
        'our-id',
      ]);
      expect(coinbase.origin + coinbase.pathname).toBe('https://login.coinbase.com/oauth2/auth');
      await live.onApplicationShutdown();
    });

    it('is unavailable where nothing is configured', async () => {
      const options = { redirectUri: REDIRECT, access: ['read'] as const };
      for (const target of [
        { exchange: 'coinbase', mode: 'live' },
        { exchange: 'sandbox', mode: 'live' },
        { exchange: 'nowhere', mode: 'test' },
      ] as const) {
        expect((await failing(authorizations.begin(target, options))).failure).toBe('unavailable');
      }
    });
  });

  it.each([
    ['an exchange that there is not', { OAUTH_KRAKN_CLIENT_ID: 'our-id' }, /OAUTH_KRAKN_CLIENT_ID.*kraken, coinbase/],
    ['one that nobody is registered at', { OAUTH_SANDBOX_CLIENT_ID: 'our-id' }, /OAUTH_SANDBOX_CLIENT_ID/],
    ['one that needs a secret', { OAUTH_COINBASE_CLIENT_ID: 'our-id' }, /OAUTH_COINBASE_CLIENT_SECRET.*coinbase/],
  ])('does not start as a client of %s', (_what, settings, problem) => {
    expect(() => start(settings)).toThrow(InvalidConfig);
    expect(() => start(settings)).toThrow(problem);
  });

  it('tells which ways are open', () => {
    const live = start({ OAUTH_KRAKEN_CLIENT_ID: 'our-id' });
    const ways = (exchange: string, mode: 'live' | 'test', of = live) => of.ways({ exchange, mode });
    expect(ways('sandbox', 'test')).toEqual(['oauth', 'qr', 'key']);
    expect(ways('coinbase', 'test')).toEqual(['oauth', 'key']);
    expect(ways('kraken', 'live')).toEqual(['oauth', 'key']);
    expect(ways('coinbase', 'live')).toEqual(['key']);
    expect(ways('sandbox', 'live')).toEqual([]);
    expect(ways('nowhere', 'test')).toEqual([]);
    expect(ways('kraken', 'test', start({ SANDBOX_URL: '' }))).toEqual(['key']);
  });

  describe('finish', () => {
    it('turns a code into a token that can be renewed', async () => {
      const pending = await begin();
      const authorized = await authorizations.finish(COINBASE, back(pending));
      expect(authorized.credentials.apiKey.reveal()).toBe(ACCESS);
      expect(authorized.scopes).toEqual(SCOPE.split(' '));
      expect(authorized.grant?.refreshToken.reveal()).toBe(REFRESH);
      expect(authorized.grant?.accessExpiresAt).toEqual(new Date(clock.now().getTime() + 3_600 * SECONDS));
      expect(authorized.grant?.refreshExpiresAt).toEqual(new Date(clock.now().getTime() + 547 * DAYS));
      expect(stub.calls).toHaveLength(1);
      expect(stub.calls[0]?.params).toEqual({
        grant_type: 'authorization_code',
        code: CODE,
        code_verifier: pending.codeVerifier.reveal(),
        redirect_uri: REDIRECT,
        client_id: 'causeway',
        client_secret: 'causeway-sandbox-secret',
      });
    });

    it('sends the address that was sent along, to the letter', async () => {
      const redirectUri = 'https://CONNECT.example.com:443/callback?tenant=1';
      const pending = await authorizations.begin(COINBASE, { redirectUri, access: ['read'] });
      await authorizations.finish(COINBASE, { ...back(pending), redirectUri });
      expect(new URL(pending.url).searchParams.get('redirect_uri')).toBe(redirectUri);
      expect(stub.calls[0]?.params['redirect_uri']).toBe(redirectUri);
    });

    it.each([
      ['another state', { code: CODE, state: 'other' }],
      ['no state', { code: CODE }],
      ['no code', {}],
      ['a refusal with another state', { error: 'access_denied', state: 'other' }],
    ])('asks nobody about %s', async (_what, parameters) => {
      const pending = await begin();
      expect((await failing(authorizations.finish(COINBASE, back(pending, parameters)))).failure).toBe('invalid_state');
      expect(stub.calls).toEqual([]);
    });

    it('asks nobody when a parameter comes twice', async () => {
      const pending = await begin();
      const returned = back(pending);
      returned.parameters.append('state', 'other');
      expect((await failing(authorizations.finish(COINBASE, returned))).failure).toBe('invalid_state');
      expect(stub.calls).toEqual([]);
    });

    it.each([
      ['access_denied', 'denied'],
      ['unauthorized_client', 'denied'],
      ['invalid_scope', 'insufficient_scope'],
      ['server_error', 'exchange_failed'],
      ['temporarily_unavailable', 'exchange_failed'],
      ['<script>canary</script>', 'denied'],
    ])('reads %s', async (error, failure) => {
      const pending = await begin();
      const returned = back(pending, { error, error_description: 'canary', state: pending.state.reveal() });
      expect((await failing(authorizations.finish(COINBASE, returned))).failure).toBe(failure);
    });

    it.each([
      ['one that is missing', undefined],
      ['another', 'https://evil.example.com'],
    ])('wants the name of a server that names itself: not %s', async (_what, iss) => {
      const pending = await begin(SANDBOX);
      const returned = back(pending, {
        code: CODE,
        state: pending.state.reveal(),
        ...(iss === undefined ? {} : { iss }),
      });
      expect((await failing(authorizations.finish(SANDBOX, returned))).failure).toBe('invalid_state');
      expect(stub.calls).toEqual([]);
    });

    it('takes the name of a server that names itself', async () => {
      stub.on('POST /partner/oauth/token', () => ({ ...issued, scope: 'read identity' }));
      const pending = await begin(SANDBOX);
      const returned = back(pending, { code: CODE, state: pending.state.reveal(), iss: `${stub.url}/partner` });
      expect((await authorizations.finish(SANDBOX, returned)).scopes).toEqual(['read', 'identity']);
    });

    it.each([
      ['less than was asked for', { scope: 'wallet:accounts:read' }],
      ['no refresh token for one that expires', { refresh_token: undefined }],
    ])('refuses %s, and gives it back', async (_what, changed) => {
      stub.on('POST /oauth2/token', () => ({ ...issued, ...changed }));
      stub.on('POST /oauth2/revoke', (_call, response) => void response.writeHead(200).end());
      expect((await failing(finish())).failure).toBe('insufficient_scope');
      const [revoked] = stub.callsOf('POST /oauth2/revoke');
      expect([revoked?.params['token'], revoked?.headers.authorization]).toEqual([ACCESS, `Bearer ${ACCESS}`]);
    });

    it.each([
      ['the refresh token', REFRESH, REFRESH],
      ['the only one there is', undefined, ACCESS],
    ])('gives %s back where the standard holds', async (_what, refreshToken, token) => {
      stub.on('POST /partner/oauth/token', () => ({ ...issued, refresh_token: refreshToken, scope: 'identity' }));
      stub.on('POST /partner/oauth/revoke', (_call, response) => void response.writeHead(200).end());
      const pending = await begin(SANDBOX);
      const returned = back(pending, { code: CODE, state: pending.state.reveal(), iss: `${stub.url}/partner` });
      expect((await failing(authorizations.finish(SANDBOX, returned))).failure).toBe('insufficient_scope');
      const [revoked] = stub.callsOf('POST /partner/oauth/revoke');
      expect(revoked?.params).toMatchObject({ token });
      expect(revoked?.headers.authorization).toMatch(/^Basic /);
    });

    it('says why it has not come about, whatever becomes of what is given back', async () => {
      stub.on('POST /oauth2/token', () => ({ ...issued, scope: 'wallet:accounts:read' }));
      stub.on('POST /oauth2/revoke', (_call, response) => answer(response, 503, ''));
      const { failure, reason } = await failing(finish());
      expect([failure, reason]).toEqual(['insufficient_scope', 'not granted: wallet:transactions:read']);
    });

    it('takes an answer without scopes as the standard means it, and commas between them', async () => {
      stub.on('POST /oauth2/token', () => ({ ...issued, scope: undefined }));
      expect((await finish()).scopes).toEqual(SCOPE.split(' '));
      stub.on('POST /oauth2/token', () => ({ ...issued, scope: SCOPE.replace(' ', ',') }));
      expect((await finish()).scopes).toEqual(SCOPE.split(' '));
    });

    it.each<[string, (call: ReceivedCall, response: ServerResponse) => unknown]>([
      [
        'a code that is used up',
        (_call, response) => answer(response, 400, { error: 'invalid_grant', error_description: CODE }),
      ],
      ['a wrong client', (_call, response) => answer(response, 401, { error: 'invalid_client' })],
      ['a 500', (_call, response) => answer(response, 500, { error: 'invalid_grant' })],
      ['a 429', (_call, response) => answer(response, 429, '')],
      ['a page of HTML', (_call, response) => answer(response, 200, `<html>${ACCESS}</html>`)],
      ['a redirect', (_call, response) => void response.writeHead(302, { location: `${stub.url}/oauth2/token` }).end()],
      ['no answer', () => undefined],
      [
        'half an answer',
        (_call, response) => void response.writeHead(200, { 'content-length': '999' }).write('{"access'),
      ],
      [
        'an answer without end',
        (_call, response) => answer(response, 200, { ...issued, padding: 'x'.repeat(100_000) }),
      ],
      ['a token of another type', () => ({ ...issued, token_type: 'mac' })],
      ['a token with a line in it', () => ({ ...issued, access_token: `${ACCESS}\r\nx: y` })],
      ['an endless token', () => ({ ...issued, access_token: 'canary'.repeat(5_000) })],
      ['a lifetime that is no date', () => ({ ...issued, expires_in: 1e300 })],
      ['a list', () => [issued]],
      ['an error with 200', () => ({ error: 'invalid_grant' })],
    ])('gets nothing from %s, and asks once', async (_what, behaviour) => {
      stub.on('POST /oauth2/token', behaviour);
      expect((await failing(finish())).failure).toBe('exchange_failed');
      expect(stub.callsOf('POST /oauth2/token')).toHaveLength(1);
    });

    it.each([
      ['another type', { token_type: 'mac' }],
      ['no type', { token_type: undefined }],
      ['a lifetime that is none', { expires_in: 'soon' }],
      ['a lifetime that is no date', { expires_in: 1e300 }],
      ['scopes in a list', { scope: [SCOPE] }],
      ['a refresh token that is none', { refresh_token: null }],
      ['an identity that nobody can check', { id_token: 'none' }],
    ])('gives back what it does not take: a token with %s', async (_what, changed) => {
      stub.on('POST /oauth2/token', () => ({ ...issued, ...changed }));
      stub.on('POST /oauth2/revoke', (_call, response) => void response.writeHead(200).end());
      expect((await failing(finish())).failure).toBe('exchange_failed');
      expect(stub.callsOf('POST /oauth2/revoke').map(({ params }) => params['token'])).toEqual([ACCESS]);
    });

    it('gives back what a QR login brought and nobody takes', async () => {
      stub.on('POST /partner/v1/qr-logins', () => ({ id: 'q', content: 'c', expires_at: clock.now().getTime() + 1 }));
      stub.on('GET /partner/v1/qr-logins/q', () => ({ ...issued, status: 'confirmed', token_type: 'mac' }));
      stub.on('POST /partner/oauth/revoke', (_call, response) => void response.writeHead(200).end());
      const { id } = await authorizations.beginQr(SANDBOX, { access: ['read'] });
      expect((await failing(authorizations.readQr(SANDBOX, id))).failure).toBe('exchange_failed');
      expect(stub.callsOf('POST /partner/oauth/revoke').map(({ params }) => params['token'])).toEqual([REFRESH]);
    });

    it('gets nothing from nobody', async () => {
      const alone = start({ SANDBOX_URL: 'http://127.0.0.1:9' });
      const pending = await begin();
      expect((await failing(alone.finish(COINBASE, back(pending)))).failure).toBe('exchange_failed');
      await alone.onApplicationShutdown();
    });
  });

  describe('revoke', () => {
    it('gives Coinbase a token of the grant, shown twice', async () => {
      stub.on('POST /oauth2/revoke', (_call, response) => void response.writeHead(200).end());
      await authorizations.revoke(COINBASE, new Secret('canary-old'));
      const [, call] = stub.calls;
      expect(call?.params).toMatchObject({ token: ACCESS, token_type_hint: 'access_token' });
      expect(call?.headers.authorization).toBe(`Bearer ${ACCESS}`);
    });

    it('is done when the grant is over anyway', async () => {
      stub.on('POST /oauth2/token', (_call, response) => answer(response, 400, { error: 'invalid_grant' }));
      await authorizations.revoke(COINBASE, new Secret('canary-old'));
      expect(stub.callsOf('POST /oauth2/revoke')).toEqual([]);
    });

    it('gives the refresh token where the standard holds', async () => {
      stub.on('POST /partner/oauth/revoke', (_call, response) => void response.writeHead(200).end());
      await authorizations.revoke(SANDBOX, new Secret(REFRESH));
      expect(stub.calls[0]?.params).toMatchObject({ token: REFRESH, token_type_hint: 'refresh_token' });
    });

    it('is how a grant is discarded, and without one there is nothing to discard', async () => {
      stub.on('POST /partner/oauth/revoke', (_call, response) => void response.writeHead(200).end());
      const grant = { refreshToken: new Secret(REFRESH), accessExpiresAt: null, refreshExpiresAt: null };
      await authorizations.discard(SANDBOX, { grant });
      await authorizations.discard(SANDBOX, { grant: null });
      expect(stub.calls.map(({ params }) => params['token'])).toEqual([REFRESH]);
    });

    it('says when nobody has heard it', async () => {
      stub.on('POST /partner/oauth/revoke', (_call, response) => answer(response, 503, ''));
      expect((await failing(authorizations.revoke(SANDBOX, new Secret(REFRESH)))).failure).toBe('unavailable');
    });

    it('has nothing to say where there is no such call', async () => {
      await authorizations.revoke(KRAKEN, new Secret(REFRESH));
      expect(stub.calls).toEqual([]);
    });
  });

  it('counts the calls among those to exchanges', async () => {
    const metrics = new Metrics();
    const measured = new Authorizations(loadConfig({ SANDBOX_URL: stub.url }), clock, metrics);
    await measured.refresh(COINBASE, new Secret(REFRESH));
    const text = await metrics.registry.metrics();
    expect(text).toContain(
      'causeway_exchange_request_seconds_count{exchange="coinbase",operation="oauth refresh",outcome="ok"} 1',
    );
    await measured.onApplicationShutdown();
  });

  it('refuses to be used inside a database transaction', async () => {
    const dataSource = new DataSource({ type: 'postgres' });
    dataSource.transaction = ((work: () => Promise<unknown>) => work()) as typeof dataSource.transaction;
    const db = new Database(dataSource);
    const pending = await begin();
    const token = new Secret(REFRESH);
    const uses: (() => Promise<unknown>)[] = [
      () => begin(),
      () => authorizations.finish(COINBASE, back(pending)),
      () => authorizations.refresh(COINBASE, token),
      () => authorizations.revoke(COINBASE, token),
      () => authorizations.beginQr(SANDBOX, { access: ['read'] }),
      () => authorizations.readQr(SANDBOX, token),
    ];
    for (const use of uses) await expect(db.transaction(use)).rejects.toThrow(InsideTransaction);
    expect(stub.calls).toEqual([]);
  });
});
