import type { ServerResponse } from 'node:http';
import { Secret } from '#platform/crypto';
import {
  ACCESS_TOKEN,
  respond,
  AuthorizationHarness,
  COINBASE_SCOPE,
  issuedByCoinbase,
} from '../testing/authorization-harness.js';
import { failing } from '../testing/failing-authorization.js';
import { withPassingTimeouts } from '../testing/request-timeouts.js';
import type { ReceivedCall } from '../testing/stub-exchange.js';

const COINBASE = { exchange: 'coinbase', mode: 'test' } as const;
const KRAKEN = { exchange: 'kraken', mode: 'test' } as const;

describe('renewing an access token', () => {
  const silent = withPassingTimeouts();
  let harness: AuthorizationHarness;

  beforeAll(async () => {
    harness = await AuthorizationHarness.start(silent);
  });
  afterAll(() => harness.stub.close());
  beforeEach(() => harness.begin());
  afterEach(() => harness.end());

  const refresh = () => harness.authorizations.refresh(COINBASE, new Secret('canary-old'));

  it('returns new tokens instead of the old ones', async () => {
    harness.stub.on('POST /oauth2/token', () => ({ ...issuedByCoinbase, refresh_token: 'canary-next' }));
    const { credentials, grant, scopes } = await refresh();
    expect([credentials.apiKey.reveal(), grant?.refreshToken.reveal()]).toEqual([ACCESS_TOKEN, 'canary-next']);
    expect(scopes).toEqual(COINBASE_SCOPE.split(' '));
    expect(harness.stub.calls[0]?.params).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'canary-old',
      client_id: 'causeway',
      client_secret: 'causeway-sandbox-secret',
    });
  });

  // The refresh has used up the old tokens, so the new ones must not be lost.
  it.each<[string, object, number | null]>([
    ['no lifetime', { expires_in: undefined }, null],
    ['a lifetime of null', { expires_in: null }, null],
    ['an empty lifetime', { expires_in: '' }, null],
    ['a lifetime in words', { expires_in: 'soon' }, null],
    ['a lifetime below zero', { expires_in: -1 }, null],
    ['a lifetime beyond any date', { expires_in: 1e300 }, null],
    ['a lifetime of eleven years', { expires_in: 346_896_000 }, null],
    ['a lifetime as text', { expires_in: '60' }, 60],
    ['no token type', { token_type: undefined }, 3_600],
    ['another token type', { token_type: 'mac' }, 3_600],
    ['scopes that are null', { scope: null }, 3_600],
    ['scopes in a list', { scope: ['wallet:accounts:read'] }, 3_600],
    ['an id_token without a signature', { id_token: 'canary' }, 3_600],
    ['an error beside the tokens', { error: 'invalid_grant' }, 3_600],
    ['a long token', { access_token: 'canary'.repeat(5_000) }, 3_600],
  ])('keeps usable tokens when the response has %s', async (_what, odd, lasts) => {
    const body: typeof issuedByCoinbase = { ...issuedByCoinbase, refresh_token: 'canary-next', ...odd };
    harness.stub.on('POST /oauth2/token', (_call, response) => respond(response, 201, body));
    const { credentials, grant } = await refresh();
    expect([credentials.apiKey.reveal(), grant?.refreshToken.reveal()]).toEqual([body.access_token, 'canary-next']);
    const expiresAt = lasts === null ? null : new Date(harness.clock.now().getTime() + lasts * 1_000);
    expect(grant?.accessExpiresAt).toEqual(expiresAt);
  });

  it.each([undefined, null, '', 7, 'with a space'])(
    'keeps the old refresh token when the response has %p as the refresh token',
    async (next) => {
      harness.stub.on('POST /oauth2/token', () => ({ ...issuedByCoinbase, refresh_token: next }));
      const { credentials, grant } = await refresh();
      expect([credentials.apiKey.reveal(), grant?.refreshToken.reveal()]).toEqual([ACCESS_TOKEN, 'canary-old']);
      expect(grant).toMatchObject({ refreshExpiresAt: null });
    },
  );

  it.each<[string, (call: ReceivedCall, response: ServerResponse) => unknown, string]>([
    [
      'invalid_grant with a 400',
      (_call, response) => respond(response, 400, { error: 'invalid_grant' }),
      'grant_ended',
    ],
    // Coinbase, coinbase-app/oauth2-integration/access-and-refresh-tokens: "a 401 response is returned".
    [
      'invalid_grant with a 401, as from Coinbase',
      (_call, response) => respond(response, 401, { error: 'invalid_grant' }),
      'grant_ended',
    ],
    [
      'invalid_grant with a 502, as from a gateway',
      (_call, response) => respond(response, 502, { error: 'invalid_grant' }),
      'unavailable',
    ],
    [
      'invalid_grant with a 403',
      (_call, response) => respond(response, 403, { error: 'invalid_grant' }),
      'unavailable',
    ],
    [
      'invalid_grant with a 404',
      (_call, response) => respond(response, 404, { error: 'invalid_grant' }),
      'unavailable',
    ],
    ['tokens with a 403', (_call, response) => respond(response, 403, issuedByCoinbase), 'unavailable'],
    [
      'a token with a line break',
      () => ({ ...issuedByCoinbase, access_token: `${ACCESS_TOKEN}\r\nx: y` }),
      'unavailable',
    ],
    ['invalid_grant with a 200', () => ({ error: 'invalid_grant' }), 'unavailable'],
    [
      'invalid_client with a 401',
      (_call, response) => respond(response, 401, { error: 'invalid_client' }),
      'unavailable',
    ],
    ['a 401 without a body', (_call, response) => respond(response, 401, ''), 'unavailable'],
    [
      'invalid_grant with a 429',
      (_call, response) => respond(response, 429, { error: 'invalid_grant' }),
      'unavailable',
    ],
    ['a page of HTML', (_call, response) => respond(response, 400, '<html></html>'), 'unavailable'],
    ['no response', silent, 'unavailable'],
    ['an unreadable response', () => ({ ...issuedByCoinbase, access_token: 7 }), 'unavailable'],
  ])('fails as grant_ended only when the server definitely ends the grant (%s)', async (_what, behaviour, failure) => {
    harness.stub.on('POST /oauth2/token', behaviour);
    expect((await failing(refresh())).failure).toBe(failure);
    expect(harness.stub.calls).toHaveLength(1);
  });

  /** RFC 9110, 10.2.3. All wallets use one client, so the server counts their requests together. */
  it('sends no request for any wallet while the server demands a pause', async () => {
    harness.stub.on('POST /oauth2/token', (_call, response) => {
      response.writeHead(429, { 'retry-after': '60' }).end();
    });
    expect(await failing(refresh())).toMatchObject({ failure: 'unavailable', sent: true });
    const another = harness.authorizations.refresh(COINBASE, new Secret('canary-another'));
    expect(await failing(another)).toMatchObject({ failure: 'unavailable', sent: false });
    expect(harness.stub.calls).toHaveLength(1);
    harness.clock.advance(60_000);
    harness.stub.on('POST /oauth2/token', () => issuedByCoinbase);
    expect((await refresh()).credentials.apiKey.reveal()).toBe(ACCESS_TOKEN);
  });

  it('sends nothing when `beforeSend` throws', async () => {
    const beforeSend = () => {
      throw new Error('too late');
    };
    const error = await failing(harness.authorizations.refresh(COINBASE, new Secret('canary-old'), { beforeSend }));
    expect(error).toMatchObject({ failure: 'unavailable', sent: false });
    expect(error.reason).toContain('too late');
    expect(harness.stub.calls).toEqual([]);
  });

  it('calls `beforeSend` before it writes the request, and sends the request on a dedicated connection', async () => {
    await harness.authorizations.refresh(COINBASE, new Secret('canary-old'));
    const seen: number[] = [];
    const beforeSend = () => seen.push(harness.stub.calls.length);
    await harness.authorizations.refresh(COINBASE, new Secret('canary-old'), { beforeSend });
    expect(seen).toEqual([1]);
    expect(new Set(harness.stub.calls.map(({ connection }) => connection)).size).toBe(2);
  });

  it('reports as `sent` whether the request may have used up the refresh token', async () => {
    harness.stub.on('POST /oauth2/token', silent);
    expect(await failing(refresh())).toMatchObject({ failure: 'unavailable', sent: true });
    const alone = harness.with({ SANDBOX_URL: 'http://127.0.0.1:9' });
    const unsent = await failing(alone.refresh(COINBASE, new Secret('canary-old')));
    expect(unsent).toMatchObject({ failure: 'unavailable', sent: false });
    await alone.onApplicationShutdown();
  });

  it('fails as unavailable at an exchange that issues API keys, which are not renewed', async () => {
    expect((await failing(harness.authorizations.refresh(KRAKEN, new Secret('canary')))).failure).toBe('unavailable');
    expect(harness.stub.calls).toEqual([]);
  });
});
