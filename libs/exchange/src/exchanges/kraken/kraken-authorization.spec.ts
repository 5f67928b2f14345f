import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { loadConfig } from '#platform/config';
import type { AccessKind } from '../../port/authorization.port.js';
import { AuthorizationError } from '../../port/authorization.port.js';
import type { Authorizations } from '../../authorization/authorizations.service.js';
import { createAuthorizations } from '../../testing/create-exchanges.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { patientTimeouts, withPassingTimeouts } from '../../testing/request-timeouts.js';
import { StubExchange, type ReceivedCall } from '../../testing/stub-exchange.js';

const REDIRECT = 'https://connect.example.com/v0/oauth2/kraken/callback';
const TOKEN = 'canary-access-token';
const FAST_API_KEY = 'POST /oauth/fast-api-key';
const DELETE_KEY = 'DELETE /oauth/fast-api-key';
const USER_INFO = 'GET /oauth/userinfo';

/** https://docs.kraken.com/openapi/oauth-rest.yaml: the response to the creation of a key, shortened. */
const made = (permissions: unknown) => ({
  result: {
    api_key: 'canary-api-key',
    secret: 'canary-api-secret',
    api_key_name: 'a name',
    created_time: '2026-01-01T00:00:00Z',
    id: 'AAAA',
    ip_allowlist: [],
    nonce: 0,
    nonce_window: 0,
    purpose: 'standard',
    permissions,
  },
});

const asAsked = ({ json }: ReceivedCall) => made((json as { permissions: unknown }).permissions);

describe('Kraken Connect', () => {
  const silent = withPassingTimeouts();
  let stub: StubExchange;
  let authorizations: Authorizations;

  beforeAll(async () => {
    stub = await StubExchange.start();
    stub.otherwise = silent;
    const config = loadConfig({
      EXCHANGE_KRAKEN_URL: stub.url,
      ...patientTimeouts,
      EGRESS_IPS: '198.51.100.7,198.51.100.8',
      OAUTH_KRAKEN_CLIENT_ID: 'our-id',
      OAUTH_KRAKEN_CLIENT_SECRET: 'our-canary+sec/ret==',
    });
    authorizations = createAuthorizations(config, { clock: new ManualClock() });
  });
  afterAll(async () => {
    await authorizations.onApplicationShutdown();
    await stub.close();
  });
  beforeEach(() => {
    stub.calls.length = 0;
    // A response without scopes means that all requested scopes are granted.
    stub.on('POST /oauth/token', () => ({
      access_token: TOKEN,
      token_type: 'bearer',
      expires_in: 86_400,
      refresh_token: 'r',
    }));
    stub.on(FAST_API_KEY, asAsked);
    stub.on(DELETE_KEY, () => ({ result: true }));
    stub.on(USER_INFO, () => ({ result: { email: 'ada@example.com', iban: 'AA88 N84G WWFL GRPM' } }));
  });

  const connect = async (access: AccessKind[]) => {
    const target = { exchange: 'kraken', mode: 'live' } as const;
    const pending = await authorizations.begin(target, { redirectUri: REDIRECT, access });
    const parameters = new URLSearchParams({ code: 'canary-code', state: pending.state.reveal() });
    const authorized = await authorizations.finish(target, { parameters, redirectUri: REDIRECT, pending, access });
    return { authorized, url: new URL(pending.url) };
  };

  it('creates an ordinary key with the token, and discards the token', async () => {
    const { authorized, url } = await connect(['read', 'withdrawal']);
    const { credentials, grant } = authorized;
    expect([credentials.apiKey.reveal(), credentials.apiSecret?.reveal()]).toEqual([
      'canary-api-key',
      'canary-api-secret',
    ]);
    expect(grant).toBeNull();
    expect(url.searchParams.get('scope')?.split(' ')).toEqual([
      'account.fast-api-key:write',
      'account.fast-api-key:funds-query',
      'account.fast-api-key:ledger-query',
      'account.fast-api-key:funds-withdraw',
      'account.info:basic',
    ]);
    expect(stub.callsOf(DELETE_KEY)).toEqual([]);
  });

  const TARGET = { exchange: 'kraken', mode: 'live' } as const;

  it('returns the name of the key, and `discard` deletes the key', async () => {
    const { authorized } = await connect(['read', 'withdrawal']);
    const { api_key_name: name } = stub.callsOf(FAST_API_KEY)[0]?.json as { api_key_name: string };
    expect(authorized.madeKey?.name).toBe(name);
    expect(inspect(authorized, { depth: null }) + JSON.stringify(authorized)).not.toContain('canary');
    await authorizations.discard(TARGET, authorized);
    const [deleted, ...more] = stub.callsOf(DELETE_KEY);
    expect(more).toEqual([]);
    expect([deleted?.json, deleted?.headers.authorization]).toEqual([{ api_key_name: name }, `Bearer ${TOKEN}`]);
  });

  it.each<[string, (call: ReceivedCall, response: ServerResponse) => unknown, string]>([
    [
      'a 404, which shows that the key is gone',
      (_call, response) => void response.writeHead(404).end('{"error":"not_found"}'),
      'none',
    ],
    ['a 401', (_call, response) => void response.writeHead(401).end('{"error":"invalid_token"}'), 'unavailable'],
    ['a 503', (_call, response) => void response.writeHead(503).end(), 'unavailable'],
    ['no response', silent, 'unavailable'],
  ])('reports whether the key may remain when its deletion gets %s', async (_what, behaviour, expected) => {
    const { authorized } = await connect(['read']);
    stub.on(DELETE_KEY, behaviour);
    const failure: unknown = await authorizations.discard(TARGET, authorized).then(
      () => 'none',
      (error: unknown) => (error instanceof AuthorizationError ? error.failure : error),
    );
    expect(failure).toBe(expected);
  });

  it('authenticates our client by HTTP Basic, with its id and secret as configured', async () => {
    await connect(['read']);
    const [token] = stub.callsOf('POST /oauth/token');
    const [, basic] = String(token?.headers.authorization).split(' ');
    expect(Buffer.from(basic ?? '', 'base64').toString()).toBe('our-id:our-canary+sec/ret==');
    expect(token?.params).toMatchObject({ grant_type: 'authorization_code', redirect_uri: REDIRECT });
    expect(token?.params).not.toHaveProperty('client_secret');
  });

  it('authenticates our client with an empty secret when none is configured', async () => {
    const config = loadConfig({ EXCHANGE_KRAKEN_URL: stub.url, OAUTH_KRAKEN_CLIENT_ID: 'our-id' });
    const publicClient = createAuthorizations(config, { clock: new ManualClock() });
    const target = { exchange: 'kraken', mode: 'live' } as const;
    const pending = await publicClient.begin(target, { redirectUri: REDIRECT, access: ['read'] });
    const parameters = new URLSearchParams({ code: 'canary-code', state: pending.state.reveal() });
    await publicClient.finish(target, { parameters, redirectUri: REDIRECT, pending, access: ['read'] });
    const [token] = stub.callsOf('POST /oauth/token');
    expect(token?.headers.authorization).toBe(`Basic ${Buffer.from('our-id:').toString('base64')}`);
    await publicClient.onApplicationShutdown();
  });

  it('requests a key with the needed permissions only, limited to our egress addresses', async () => {
    await connect(['read', 'trade']);
    const [call] = stub.callsOf(FAST_API_KEY);
    expect(call?.headers.authorization).toBe(`Bearer ${TOKEN}`);
    expect(call?.json).toEqual({
      api_key_name: expect.stringMatching(/^Causeway 2026-01-01 [0-9a-f]{8}$/) as string,
      nonce_window: 0,
      ip_allowlist: ['198.51.100.7', '198.51.100.8'],
      permissions: {
        funds_query: true,
        funds_add: false,
        funds_withdraw: false,
        funds_earn: false,
        trades_query_open: true,
        trades_query_closed: true,
        trades_modify: true,
        trades_close: true,
        ledger_query: true,
        export_data: false,
      },
    });
    const { api_key_name: name } = call?.json as { api_key_name: string };
    expect(name.length).toBeLessThanOrEqual(32);
  });

  it.each<[string, (call: ReceivedCall, response: ServerResponse) => unknown, string]>([
    [
      'a 403',
      (_call, response) => void response.writeHead(403).end('{"error":"insufficient_scope"}'),
      'insufficient_scope',
    ],
    ['a key with fewer permissions', () => made({ funds_query: true, ledger_query: false }), 'insufficient_scope'],
    ['a 401', (_call, response) => void response.writeHead(401).end('{"error":"invalid_token"}'), 'exchange_failed'],
    ['a 502', (_call, response) => void response.writeHead(502).end(), 'exchange_failed'],
    ['a page of HTML', (_call, response) => void response.end('<html>canary</html>'), 'exchange_failed'],
    ['no response', silent, 'exchange_failed'],
    ['a key without its secret', () => ({ result: { api_key: 'canary-api-key' } }), 'exchange_failed'],
    ['an error in the form of its API', () => ({ error: ['EGeneral:Permission denied'] }), 'exchange_failed'],
  ])('returns no key after %s, sends one request, and deletes a possible key', async (_what, behaviour, failure) => {
    stub.on(FAST_API_KEY, behaviour);
    const error: unknown = await connect(['read']).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AuthorizationError);
    expect(error).toMatchObject({ failure });
    const [made, ...again] = stub.callsOf(FAST_API_KEY).map(({ json }) => json as { api_key_name: string });
    expect(again).toEqual([]);
    // Kraken may have created a key in spite of the failure, so it is deleted.
    const [deleted] = stub.callsOf(DELETE_KEY);
    expect(deleted?.headers.authorization).toBe(`Bearer ${TOKEN}`);
    expect(deleted?.json).toEqual({ api_key_name: made?.api_key_name });
    for (let one: unknown = error; one instanceof Error; one = one.cause) {
      expect(`${one.stack} ${JSON.stringify(one)}`).not.toContain('canary');
    }
  });

  it('reports the insufficient permissions of a created key even when the deletion of the key fails', async () => {
    stub.on(FAST_API_KEY, () => made({ funds_query: false, ledger_query: true }));
    stub.on(DELETE_KEY, silent);
    await expect(connect(['read'])).rejects.toMatchObject({ failure: 'insufficient_scope', exchange: 'kraken' });
  });

  it('reads the identity of the owner while it has the token', async () => {
    const { authorized } = await connect(['read']);
    const identity = { fullName: null, email: 'ada@example.com', iban: 'AA88 N84G WWFL GRPM', country: null };
    expect(authorized.identity).toEqual(identity);
    const [call] = stub.callsOf(USER_INFO);
    expect(call?.headers.authorization).toBe(`Bearer ${TOKEN}`);
  });

  it.each<[string, (call: ReceivedCall, response: ServerResponse) => unknown]>([
    ['a refusal', (_call, response) => void response.writeHead(403).end('{"error":"insufficient_scope"}')],
    ['a 500', (_call, response) => void response.writeHead(500).end()],
    ['a page of HTML', (_call, response) => void response.end('<html>canary</html>')],
    ['no response', silent],
    ['a response without an identity', () => ({ error: ['EGeneral:Unknown'] })],
  ])('connects even when the identity cannot be read because of %s', async (_what, behaviour) => {
    stub.on(USER_INFO, behaviour);
    const { authorized } = await connect(['read']);
    expect(authorized.credentials.apiKey.reveal()).toBe('canary-api-key');
    expect(authorized).not.toHaveProperty('identity');
  });
});
