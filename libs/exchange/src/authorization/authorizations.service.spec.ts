import type { ServerResponse } from 'node:http';
import { createHash } from 'node:crypto';
import { InvalidConfig } from '#platform/config';
import { Secret } from '#platform/crypto';
import { InsideTransaction } from '#platform/database';
import { databaseWithoutServer } from '#platform/testing';
import type { AccessKind, PendingAuthorization } from '../port/authorization.port.js';
import {
  ACCESS_TOKEN,
  respond,
  AuthorizationHarness,
  COINBASE_SCOPE,
  issuedByCoinbase,
  REFRESH_TOKEN,
  respondingInPart,
} from '../testing/authorization-harness.js';
import { failing } from '../testing/failing-authorization.js';
import { withPassingTimeouts } from '../testing/request-timeouts.js';
import type { ReceivedCall } from '../testing/stub-exchange.js';

const REDIRECT = 'https://connect.example.com/v0/oauth2/coinbase/callback';
const CODE = 'canary-code';
const COINBASE = { exchange: 'coinbase', mode: 'test' } as const;
const KRAKEN = { exchange: 'kraken', mode: 'test' } as const;
const SANDBOX = { exchange: 'sandbox', mode: 'test' } as const;
const DAYS = 86_400_000;

describe('Authorizations', () => {
  const silent = withPassingTimeouts();
  let harness: AuthorizationHarness;

  beforeAll(async () => {
    harness = await AuthorizationHarness.start(silent);
  });
  afterAll(() => harness.stub.close());
  beforeEach(() => harness.begin());
  afterEach(() => harness.end());

  const begin = (target = COINBASE as { exchange: string; mode: 'test' }, access: AccessKind[] = ['read']) =>
    harness.authorizations.begin(target, { redirectUri: REDIRECT, access });

  const back = (pending: PendingAuthorization, given?: Record<string, string>, access: AccessKind[] = ['read']) => {
    const parameters = new URLSearchParams(given ?? { code: CODE, state: pending.state.reveal() });
    return { parameters, redirectUri: REDIRECT, pending, access };
  };

  const finish = async (access: AccessKind[] = ['read']) => {
    const pending = await begin(COINBASE, access);
    return harness.authorizations.finish(COINBASE, back(pending, undefined, access));
  };

  describe('begin', () => {
    it('returns a url with PKCE, a random state and exactly the scopes of the requested access', async () => {
      const pending = await begin(COINBASE, ['read', 'withdrawal']);
      const url = new URL(pending.url);
      expect(`${url.origin}${url.pathname}`).toBe(`${harness.stub.url}/oauth2/auth`);
      expect(Object.fromEntries(url.searchParams)).toEqual({
        response_type: 'code',
        client_id: 'causeway',
        redirect_uri: REDIRECT,
        // Without `account=all` the person chooses a single wallet.
        account: 'all',
        scope: `${COINBASE_SCOPE} wallet:transactions:send wallet:user:read wallet:user:email offline_access`,
        state: pending.state.reveal(),
        code_challenge_method: 'S256',
        code_challenge: createHash('sha256').update(pending.codeVerifier.reveal()).digest('base64url'),
      });
      expect(Buffer.from(pending.state.reveal(), 'base64url')).toHaveLength(32);
      expect((await begin()).state.reveal()).not.toBe(pending.state.reveal());
      expect(harness.stub.calls).toEqual([]);
    });

    it('uses the public address of the sandbox exchange', async () => {
      const elsewhere = harness.with({ SANDBOX_PUBLIC_URL: 'https://sandbox.example.com/' });
      const { url } = await elsewhere.begin(SANDBOX, { redirectUri: REDIRECT, access: ['read'] });
      expect(url).toMatch(/^https:\/\/sandbox\.example\.com\/partner\/oauth\/authorize\?/);
      await elsewhere.onApplicationShutdown();
    });

    it('uses the real exchange and the configured client for live projects', async () => {
      const live = harness.with({
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

    it('fails as unavailable without a configured client, and for an unknown exchange', async () => {
      const options = { redirectUri: REDIRECT, access: ['read'] as const };
      for (const target of [
        { exchange: 'coinbase', mode: 'live' },
        { exchange: 'sandbox', mode: 'live' },
        { exchange: 'nowhere', mode: 'test' },
      ] as const) {
        expect((await failing(harness.authorizations.begin(target, options))).failure).toBe('unavailable');
      }
    });
  });

  it.each([
    ['an unknown exchange', { OAUTH_KRAKN_CLIENT_ID: 'our-id' }, /OAUTH_KRAKN_CLIENT_ID.*kraken, coinbase/],
    ['a region of an exchange', { OAUTH_KRAKEN_EU_CLIENT_ID: 'our-id' }, /OAUTH_KRAKEN_EU_CLIENT_ID.*kraken, coinbase/],
    ['an exchange without registered clients', { OAUTH_SANDBOX_CLIENT_ID: 'our-id' }, /OAUTH_SANDBOX_CLIENT_ID/],
    ['Kraken by another name', { OAUTH_KRAKEN_ID: 'our-id' }, /OAUTH_KRAKEN_ID: .*; use OAUTH_KRAKEN_CLIENT_ID or /],
    ['Coinbase without a secret', { OAUTH_COINBASE_CLIENT_ID: 'our-id' }, /OAUTH_COINBASE_CLIENT_SECRET.*coinbase/],
  ])('does not start when a client is configured for %s', (_what, settings, problem) => {
    expect(() => harness.with(settings)).toThrow(InvalidConfig);
    expect(() => harness.with(settings)).toThrow(problem);
  });

  it('lists the connect methods of each exchange and mode', () => {
    const live = harness.with({ OAUTH_KRAKEN_CLIENT_ID: 'our-id' });
    const methods = (exchange: string, mode: 'live' | 'test', of = live) => of.connectMethods({ exchange, mode });
    expect(methods('sandbox', 'test')).toEqual(['oauth', 'qr', 'key']);
    expect(methods('coinbase', 'test')).toEqual(['oauth', 'key']);
    expect(methods('kraken', 'live')).toEqual(['oauth', 'key']);
    expect(methods('coinbase', 'live')).toEqual(['key']);
    expect(methods('sandbox', 'live')).toEqual([]);
    expect(methods('nowhere', 'test')).toEqual([]);
    expect(methods('kraken', 'test', harness.with({ SANDBOX_URL: '' }))).toEqual(['key']);
  });

  describe('finish', () => {
    it('exchanges a code for a token that can be renewed', async () => {
      const pending = await begin();
      const authorized = await harness.authorizations.finish(COINBASE, back(pending));
      expect(authorized.credentials.apiKey.reveal()).toBe(ACCESS_TOKEN);
      expect(authorized.scopes).toEqual(COINBASE_SCOPE.split(' '));
      expect(authorized.grant?.refreshToken.reveal()).toBe(REFRESH_TOKEN);
      expect(authorized.grant?.accessExpiresAt).toEqual(new Date(harness.clock.now().getTime() + 3_600 * 1_000));
      expect(authorized.grant?.refreshExpiresAt).toEqual(new Date(harness.clock.now().getTime() + 547 * DAYS));
      expect(harness.stub.calls).toHaveLength(1);
      expect(harness.stub.calls[0]?.params).toEqual({
        grant_type: 'authorization_code',
        code: CODE,
        code_verifier: pending.codeVerifier.reveal(),
        redirect_uri: REDIRECT,
        client_id: 'causeway',
        client_secret: 'causeway-sandbox-secret',
      });
    });

    it('sends exactly the redirect address that `begin` received', async () => {
      const redirectUri = 'https://CONNECT.example.com:443/callback?tenant=1';
      const pending = await harness.authorizations.begin(COINBASE, { redirectUri, access: ['read'] });
      await harness.authorizations.finish(COINBASE, { ...back(pending), redirectUri });
      expect(new URL(pending.url).searchParams.get('redirect_uri')).toBe(redirectUri);
      expect(harness.stub.calls[0]?.params['redirect_uri']).toBe(redirectUri);
    });

    it.each([
      ['another state', { code: CODE, state: 'other' }],
      ['no state', { code: CODE }],
      ['no code', {}],
      ['a refusal with another state', { error: 'access_denied', state: 'other' }],
    ])('sends nothing when the redirect has %s', async (_what, parameters) => {
      const pending = await begin();
      expect((await failing(harness.authorizations.finish(COINBASE, back(pending, parameters)))).failure).toBe(
        'invalid_state',
      );
      expect(harness.stub.calls).toEqual([]);
    });

    it('sends nothing when the redirect has a parameter twice', async () => {
      const pending = await begin();
      const returned = back(pending);
      returned.parameters.append('state', 'other');
      expect((await failing(harness.authorizations.finish(COINBASE, returned))).failure).toBe('invalid_state');
      expect(harness.stub.calls).toEqual([]);
    });

    it.each([
      ['access_denied', 'denied'],
      ['unauthorized_client', 'denied'],
      ['invalid_scope', 'insufficient_scope'],
      ['server_error', 'exchange_failed'],
      ['temporarily_unavailable', 'exchange_failed'],
      ['<script>canary</script>', 'denied'],
    ])('reports the error %s of the redirect as "%s"', async (error, failure) => {
      const pending = await begin();
      const returned = back(pending, { error, error_description: 'canary', state: pending.state.reveal() });
      expect((await failing(harness.authorizations.finish(COINBASE, returned))).failure).toBe(failure);
    });

    it.each([
      ['a missing issuer', undefined],
      ['another issuer', 'https://evil.example.com'],
    ])('refuses a redirect with %s from a server that declares an issuer', async (_what, iss) => {
      const pending = await begin(SANDBOX);
      const returned = back(pending, {
        code: CODE,
        state: pending.state.reveal(),
        ...(iss === undefined ? {} : { iss }),
      });
      expect((await failing(harness.authorizations.finish(SANDBOX, returned))).failure).toBe('invalid_state');
      expect(harness.stub.calls).toEqual([]);
    });

    it('accepts a redirect with the issuer that the server declares', async () => {
      harness.stub.on('POST /partner/oauth/token', () => ({ ...issuedByCoinbase, scope: 'read identity' }));
      const pending = await begin(SANDBOX);
      const returned = back(pending, { code: CODE, state: pending.state.reveal(), iss: `${harness.stub.url}/partner` });
      expect((await harness.authorizations.finish(SANDBOX, returned)).scopes).toEqual(['read', 'identity']);
    });

    it.each([
      ['fewer scopes than were requested', { scope: 'wallet:accounts:read' }],
      ['an expiring token without a refresh token', { refresh_token: undefined }],
    ])('refuses %s, and revokes the access token', async (_what, changed) => {
      harness.stub.on('POST /oauth2/token', () => ({ ...issuedByCoinbase, ...changed }));
      harness.stub.on('POST /oauth2/revoke', (_call, response) => void response.writeHead(200).end());
      expect((await failing(finish())).failure).toBe('insufficient_scope');
      const [revoked] = harness.stub.callsOf('POST /oauth2/revoke');
      expect([revoked?.params['token'], revoked?.headers.authorization]).toEqual([
        ACCESS_TOKEN,
        `Bearer ${ACCESS_TOKEN}`,
      ]);
    });

    it.each([
      ['the refresh token', REFRESH_TOKEN, REFRESH_TOKEN],
      ['the access token if there is no refresh token', undefined, ACCESS_TOKEN],
    ])('ends an insufficient grant at an RFC 7009 server by revoking %s', async (_what, refreshToken, token) => {
      harness.stub.on('POST /partner/oauth/token', () => ({
        ...issuedByCoinbase,
        refresh_token: refreshToken,
        scope: 'identity',
      }));
      harness.stub.on('POST /partner/oauth/revoke', (_call, response) => void response.writeHead(200).end());
      const pending = await begin(SANDBOX);
      const returned = back(pending, { code: CODE, state: pending.state.reveal(), iss: `${harness.stub.url}/partner` });
      expect((await failing(harness.authorizations.finish(SANDBOX, returned))).failure).toBe('insufficient_scope');
      const [revoked] = harness.stub.callsOf('POST /partner/oauth/revoke');
      expect(revoked?.params).toMatchObject({ token });
      expect(revoked?.headers.authorization).toMatch(/^Basic /);
    });

    it('reports the missing scope even when the revocation fails', async () => {
      harness.stub.on('POST /oauth2/token', () => ({ ...issuedByCoinbase, scope: 'wallet:accounts:read' }));
      harness.stub.on('POST /oauth2/revoke', (_call, response) => respond(response, 503, ''));
      const { failure, reason } = await failing(finish());
      expect([failure, reason]).toEqual(['insufficient_scope', 'not granted: wallet:transactions:read']);
    });

    it('treats a response without scopes as a grant of all requested scopes, and accepts commas between scopes', async () => {
      harness.stub.on('POST /oauth2/token', () => ({ ...issuedByCoinbase, scope: undefined }));
      expect((await finish()).scopes).toEqual(COINBASE_SCOPE.split(' '));
      harness.stub.on('POST /oauth2/token', () => ({ ...issuedByCoinbase, scope: COINBASE_SCOPE.replace(' ', ',') }));
      expect((await finish()).scopes).toEqual(COINBASE_SCOPE.split(' '));
    });

    it.each<[string, (call: ReceivedCall, response: ServerResponse) => unknown]>([
      ['a used code', (_call, response) => respond(response, 400, { error: 'invalid_grant', error_description: CODE })],
      ['a wrong client', (_call, response) => respond(response, 401, { error: 'invalid_client' })],
      ['a 500', (_call, response) => respond(response, 500, { error: 'invalid_grant' })],
      ['a 429', (_call, response) => respond(response, 429, '')],
      ['a page of HTML', (_call, response) => respond(response, 200, `<html>${ACCESS_TOKEN}</html>`)],
      [
        'a redirect',
        (_call, response) => void response.writeHead(302, { location: `${harness.stub.url}/oauth2/token` }).end(),
      ],
      ['no response', silent],
      ['half a response', respondingInPart(silent)],
      [
        'a response without end',
        (_call, response) => respond(response, 200, { ...issuedByCoinbase, padding: 'x'.repeat(100_000) }),
      ],
      ['a token of another type', () => ({ ...issuedByCoinbase, token_type: 'mac' })],
      ['a token with a line break', () => ({ ...issuedByCoinbase, access_token: `${ACCESS_TOKEN}\r\nx: y` })],
      ['a token that is too long', () => ({ ...issuedByCoinbase, access_token: 'canary'.repeat(5_000) })],
      ['a lifetime beyond any date', () => ({ ...issuedByCoinbase, expires_in: 1e300 })],
      ['a list instead of an object', () => [issuedByCoinbase]],
      ['an error with 200', () => ({ error: 'invalid_grant' })],
    ])('fails for %s, without a second request', async (_what, behaviour) => {
      harness.stub.on('POST /oauth2/token', behaviour);
      expect((await failing(finish())).failure).toBe('exchange_failed');
      expect(harness.stub.callsOf('POST /oauth2/token')).toHaveLength(1);
    });

    it.each([
      ['another token type', { token_type: 'mac' }],
      ['no token type', { token_type: undefined }],
      ['an invalid lifetime', { expires_in: 'soon' }],
      ['a lifetime beyond any date', { expires_in: 1e300 }],
      ['scopes in a list', { scope: [COINBASE_SCOPE] }],
      ['an invalid refresh token', { refresh_token: null }],
      ['an invalid id_token', { id_token: 'none' }],
    ])('revokes the token of a response that has %s', async (_what, changed) => {
      harness.stub.on('POST /oauth2/token', () => ({ ...issuedByCoinbase, ...changed }));
      harness.stub.on('POST /oauth2/revoke', (_call, response) => void response.writeHead(200).end());
      expect((await failing(finish())).failure).toBe('exchange_failed');
      expect(harness.stub.callsOf('POST /oauth2/revoke').map(({ params }) => params['token'])).toEqual([ACCESS_TOKEN]);
    });

    it('revokes unacceptable tokens of a QR login', async () => {
      harness.stub.on('POST /partner/v1/qr-logins', () => ({
        id: 'q',
        content: 'c',
        expires_at: harness.clock.now().getTime() + 1,
      }));
      harness.stub.on('GET /partner/v1/qr-logins/q', () => ({
        ...issuedByCoinbase,
        status: 'confirmed',
        token_type: 'mac',
      }));
      harness.stub.on('POST /partner/oauth/revoke', (_call, response) => void response.writeHead(200).end());
      const { id } = await harness.authorizations.beginQr(SANDBOX, { access: ['read'] });
      expect((await failing(harness.authorizations.readQr(SANDBOX, id))).failure).toBe('exchange_failed');
      expect(harness.stub.callsOf('POST /partner/oauth/revoke').map(({ params }) => params['token'])).toEqual([
        REFRESH_TOKEN,
      ]);
    });

    it('fails when the exchange cannot be reached', async () => {
      const alone = harness.with({ SANDBOX_URL: 'http://127.0.0.1:9' });
      const pending = await begin();
      expect((await failing(alone.finish(COINBASE, back(pending)))).failure).toBe('exchange_failed');
      await alone.onApplicationShutdown();
    });
  });

  describe('revoke', () => {
    it('sends Coinbase a new access token of the grant, in the body and as the bearer token', async () => {
      harness.stub.on('POST /oauth2/revoke', (_call, response) => void response.writeHead(200).end());
      await harness.authorizations.revoke(COINBASE, new Secret('canary-old'));
      const [, call] = harness.stub.calls;
      expect(call?.params).toMatchObject({ token: ACCESS_TOKEN, token_type_hint: 'access_token' });
      expect(call?.headers.authorization).toBe(`Bearer ${ACCESS_TOKEN}`);
    });

    it('succeeds when the grant has already ended', async () => {
      harness.stub.on('POST /oauth2/token', (_call, response) => respond(response, 400, { error: 'invalid_grant' }));
      await harness.authorizations.revoke(COINBASE, new Secret('canary-old'));
      expect(harness.stub.callsOf('POST /oauth2/revoke')).toEqual([]);
    });

    it('sends the refresh token to a server that follows RFC 7009', async () => {
      harness.stub.on('POST /partner/oauth/revoke', (_call, response) => void response.writeHead(200).end());
      await harness.authorizations.revoke(SANDBOX, new Secret(REFRESH_TOKEN));
      expect(harness.stub.calls[0]?.params).toMatchObject({ token: REFRESH_TOKEN, token_type_hint: 'refresh_token' });
    });

    it('is called by `discard` only if there is a grant', async () => {
      harness.stub.on('POST /partner/oauth/revoke', (_call, response) => void response.writeHead(200).end());
      const grant = { refreshToken: new Secret(REFRESH_TOKEN), accessExpiresAt: null, refreshExpiresAt: null };
      await harness.authorizations.discard(SANDBOX, { grant });
      await harness.authorizations.discard(SANDBOX, { grant: null });
      expect(harness.stub.calls.map(({ params }) => params['token'])).toEqual([REFRESH_TOKEN]);
    });

    it('fails when the exchange does not confirm the revocation', async () => {
      harness.stub.on('POST /partner/oauth/revoke', (_call, response) => respond(response, 503, ''));
      expect((await failing(harness.authorizations.revoke(SANDBOX, new Secret(REFRESH_TOKEN)))).failure).toBe(
        'unavailable',
      );
    });

    it('sends nothing where there is no revocation endpoint', async () => {
      await harness.authorizations.revoke(KRAKEN, new Secret(REFRESH_TOKEN));
      expect(harness.stub.calls).toEqual([]);
    });
  });

  it('counts its calls in the metrics', async () => {
    await harness.authorizations.refresh(COINBASE, new Secret(REFRESH_TOKEN));
    const text = await harness.metrics.registry.metrics();
    expect(text).toContain(
      'causeway_exchange_request_seconds_count{exchange="coinbase",operation="oauth refresh",outcome="ok"} 1',
    );
  });

  it('refuses to be used inside a database transaction', async () => {
    const db = databaseWithoutServer();
    const pending = await begin();
    const token = new Secret(REFRESH_TOKEN);
    const uses: (() => Promise<unknown>)[] = [
      () => begin(),
      () => harness.authorizations.finish(COINBASE, back(pending)),
      () => harness.authorizations.refresh(COINBASE, token),
      () => harness.authorizations.revoke(COINBASE, token),
      () => harness.authorizations.beginQr(SANDBOX, { access: ['read'] }),
      () => harness.authorizations.readQr(SANDBOX, token),
    ];
    for (const use of uses) await expect(db.transaction(use)).rejects.toThrow(InsideTransaction);
    expect(harness.stub.calls).toEqual([]);
  });
});
