import type { ServerResponse } from 'node:http';
import { loadConfig } from '#platform/config';
import { Secret } from '#platform/crypto';
import { Metrics } from '#platform/metrics';
import { Authorizations } from './authorizations.service.js';
import { failing } from './testing/failing-authorization.js';
import { ManualClock } from './testing/manual-clock.js';
import { StubExchange, type ReceivedCall } from './testing/stub-exchange.js';

const ACCESS = 'canary-access-token';
const SCOPE = 'wallet:accounts:read wallet:transactions:read';
const COINBASE = { exchange: 'coinbase', mode: 'test' } as const;
const KRAKEN = { exchange: 'kraken', mode: 'test' } as const;

/** coinbase-app/oauth2-integration/reference: the answer of the token endpoint. */
const issued = {
  access_token: ACCESS,
  token_type: 'bearer',
  expires_in: 3_600,
  refresh_token: 'canary-refresh-token',
  scope: SCOPE,
};

const answer = (response: ServerResponse, status: number, body: unknown): undefined => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
};

describe('renewing an access token', () => {
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

  const refresh = () => authorizations.refresh(COINBASE, new Secret('canary-old'));

  it('brings a new pair, with the old one gone', async () => {
    stub.on('POST /oauth2/token', () => ({ ...issued, refresh_token: 'canary-next' }));
    const { credentials, grant, scopes } = await refresh();
    expect([credentials.apiKey.reveal(), grant?.refreshToken.reveal()]).toEqual([ACCESS, 'canary-next']);
    expect(scopes).toEqual(SCOPE.split(' '));
    expect(stub.calls[0]?.params).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'canary-old',
      client_id: 'causeway',
      client_secret: 'causeway-sandbox-secret',
    });
  });

  it('keeps the old refresh token where no new one comes', async () => {
    stub.on('POST /oauth2/token', () => ({ ...issued, refresh_token: undefined }));
    expect((await refresh()).grant).toMatchObject({ refreshExpiresAt: null });
    expect((await refresh()).grant?.refreshToken.reveal()).toBe('canary-old');
  });

  it.each<[string, (call: ReceivedCall, response: ServerResponse) => unknown, string]>([
    ['the definite word', (_call, response) => answer(response, 400, { error: 'invalid_grant' }), 'grant_ended'],
    // coinbase-app/oauth2-integration/access-and-refresh-tokens: "a 401 response is returned".
    [
      'the same as Coinbase says it',
      (_call, response) => answer(response, 401, { error: 'invalid_grant' }),
      'grant_ended',
    ],
    [
      'the same from behind a gateway',
      (_call, response) => answer(response, 502, { error: 'invalid_grant' }),
      'unavailable',
    ],
    ['the same with 200', () => ({ error: 'invalid_grant' }), 'unavailable'],
    ['a wrong client', (_call, response) => answer(response, 401, { error: 'invalid_client' }), 'unavailable'],
    ['a bare 401', (_call, response) => answer(response, 401, ''), 'unavailable'],
    ['a 429', (_call, response) => answer(response, 429, { error: 'invalid_grant' }), 'unavailable'],
    ['a page of HTML', (_call, response) => answer(response, 400, '<html></html>'), 'unavailable'],
    ['no answer', () => undefined, 'unavailable'],
    ['an answer that cannot be read', () => ({ ...issued, access_token: 7 }), 'unavailable'],
  ])('takes %s for what it is', async (_what, behaviour, failure) => {
    stub.on('POST /oauth2/token', behaviour);
    expect((await failing(refresh())).failure).toBe(failure);
    expect(stub.calls).toHaveLength(1);
  });

  it('can be given up until the moment it is sent', async () => {
    const beforeSend = () => {
      throw new Error('too late');
    };
    const error = await failing(authorizations.refresh(COINBASE, new Secret('canary-old'), { beforeSend }));
    expect(error).toMatchObject({ failure: 'unavailable', sent: false });
    expect(error.reason).toContain('too late');
    expect(stub.calls).toEqual([]);
  });

  it('asks for a last word once its turn has come, on a connection that nobody else uses', async () => {
    await authorizations.refresh(COINBASE, new Secret('canary-old'));
    const seen: number[] = [];
    const beforeSend = () => seen.push(stub.calls.length);
    await authorizations.refresh(COINBASE, new Secret('canary-old'), { beforeSend });
    expect(seen).toEqual([1]);
    expect(new Set(stub.calls.map(({ connection }) => connection)).size).toBe(2);
  });

  it('knows whether the token may be used up', async () => {
    stub.on('POST /oauth2/token', () => undefined);
    expect(await failing(refresh())).toMatchObject({ failure: 'unavailable', sent: true });
    const alone = start({ SANDBOX_URL: 'http://127.0.0.1:9' });
    const unsent = await failing(alone.refresh(COINBASE, new Secret('canary-old')));
    expect(unsent).toMatchObject({ failure: 'unavailable', sent: false });
    await alone.onApplicationShutdown();
  });

  it('is nothing for keys that do not expire', async () => {
    expect((await failing(authorizations.refresh(KRAKEN, new Secret('canary')))).failure).toBe('unavailable');
    expect(stub.calls).toEqual([]);
  });
});
