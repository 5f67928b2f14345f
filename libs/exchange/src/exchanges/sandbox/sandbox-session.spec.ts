import { Amount } from '#money';
import { Secret } from '#platform/crypto';
import { ExchangeHarness } from '../../testing/exchange-harness.js';
import {
  ACCOUNT as ACCOUNT_RESPONSE,
  BALANCES,
  refuse,
  route,
  speakSandbox,
} from '../../testing/sandbox-documentation.js';
import type { ReceivedCall } from '../../testing/stub-exchange.js';

const ACCOUNT = route('GET', '/account');

describe('a session at the sandbox exchange', () => {
  let harness: ExchangeHarness;

  beforeAll(async () => {
    harness = await ExchangeHarness.start({ EXCHANGE_TIMEOUT_MS: '400' });
  });
  afterAll(() => harness.close());
  beforeEach(() => {
    speakSandbox(harness.stub);
    harness.stub.calls.length = 0;
  });

  it('reports the free and the held amount of each asset', async () => {
    const session = await harness.open('sandbox');
    expect(await session.balances()).toMatchObject([
      { asset: 'BTC', free: Amount.of('4.75'), used: Amount.of('0.25'), total: Amount.of('5') },
      { asset: 'XRP', free: Amount.of('20000'), used: Amount.zero, total: Amount.of('20000') },
    ]);
  });

  it('reports the facts about the token, and nothing about the account', async () => {
    const session = await harness.open('sandbox');
    expect(await session.keyInfo()).toEqual({
      permissions: ['read', 'withdraw'],
      ipAllowlist: ['198.51.100.7', '198.51.100.8'],
      validUntil: null,
      lastUsed: 1_795_000_060,
      createdTime: 1_795_000_000,
      modifiedTime: null,
    });
  });

  it('reports the owner of the account, and fails when the country is not an ISO code', async () => {
    const { identity } = await harness.open('sandbox');
    const reported = { fullName: 'Ada Lovelace', email: null, iban: null, country: 'GB' };
    harness.stub.on(route('GET', '/identity'), () => reported);
    expect(await identity?.read()).toEqual(reported);
    const long = { ...reported, fullName: 'Ada '.repeat(100) };
    harness.stub.on(route('GET', '/identity'), () => long);
    expect(await identity?.read()).toEqual(long);
    harness.stub.on(route('GET', '/identity'), () => ({ ...reported, country: 'England' }));
    await expect(identity?.read()).rejects.toMatchObject({ kind: 'unavailable' });
    harness.stub.on(route('GET', '/identity'), (_call, response) => refuse(response, 403, 'permission_missing'));
    await expect(identity?.read()).rejects.toMatchObject({ kind: 'permission_missing' });
  });

  it('makes no calls with a credential during a pause that the exchange demands for this credential', async () => {
    const [session, other] = await Promise.all([harness.open('sandbox'), harness.open('sandbox')]);
    harness.stub.on(route('GET', '/balances'), (_call, response) => {
      response.setHeader('retry-after', '60');
      refuse(response, 429, 'rate_limited');
    });
    await expect(session.balances()).rejects.toMatchObject({
      kind: 'rate_limited',
      rawCode: 'rate_limited',
      retryAfterMs: 60_000,
    });
    const retryAfterMs = expect.any(Number) as number;
    const paused = { kind: 'rate_limited', reason: 'own_limit', retryAfterMs };
    await expect(session.keyInfo()).rejects.toMatchObject(paused);
    await other.keyInfo();
    expect(harness.stub.calls).toHaveLength(2);
  });

  it('sends the token of each session when two sessions make calls at the same time', async () => {
    // Each response contains the token of its request, so each session shows which token its calls had.
    const tokenOf = ({ headers }: ReceivedCall): string => String(headers.authorization).replace('Bearer ', '');
    harness.stub.on(ACCOUNT, (call) => ({ ...ACCOUNT_RESPONSE, permissions: [tokenOf(call)] }));
    harness.stub.on(route('GET', '/balances'), (call) => ({ balances: [{ ...BALANCES[0], asset: tokenOf(call) }] }));
    const open = (token: string) =>
      harness.exchanges.open(harness.target({ exchange: 'sandbox', credentials: { apiKey: new Secret(token) } }));
    const [a, b] = await Promise.all([open('OF-A'), open('OF-B')]);
    const [infoOfA, balancesOfB, balancesOfA, infoOfB] = await Promise.all([
      a.keyInfo(),
      b.balances(),
      a.balances(),
      b.keyInfo(),
    ]);
    expect([infoOfA.permissions, infoOfB.permissions]).toEqual([['OF-A'], ['OF-B']]);
    expect([balancesOfA, balancesOfB]).toMatchObject([[{ asset: 'OF-A' }], [{ asset: 'OF-B' }]]);
    expect(harness.stub.calls.map(tokenOf).sort()).toEqual(['OF-A', 'OF-A', 'OF-B', 'OF-B']);
  });

  it('sends one call after the other', async () => {
    let open = 0;
    let most = 0;
    harness.stub.on(ACCOUNT, (_call, response) => {
      most = Math.max(most, ++open);
      setImmediate(() => {
        open--;
        refuse(response, 429, 'rate_limited');
      });
    });
    const session = await harness.open('sandbox');
    await Promise.allSettled(Array.from({ length: 10 }, () => session.keyInfo()));
    expect(most).toBe(1);
  });

  it('does not exist for live wallets', async () => {
    const target = harness.target({ exchange: 'sandbox', mode: 'live' });
    await expect(harness.exchanges.open(target)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(harness.stub.calls).toEqual([]);
  });

  it.each([
    ['unauthorized', undefined],
    ['token_revoked', 'revoked'],
    ['token_expired', 'expired'],
  ])('gives the code %s of a refused token the reason %s', async (rawCode, reason) => {
    harness.stub.on(ACCOUNT, (_call, response) => refuse(response, 401, rawCode));
    const session = await harness.open('sandbox');
    const error: unknown = await session.keyInfo().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: 'credentials_invalid' });
    expect(error).toHaveProperty('reason', reason);
  });

  it.each([
    [401, 'unauthorized', 'credentials_invalid'],
    [401, 'token_revoked', 'credentials_invalid'],
    [401, 'token_expired', 'credentials_invalid'],
    [403, 'permission_missing', 'permission_missing'],
    [403, 'ip_not_allowed', 'ip_not_allowed'],
    [429, 'rate_limited', 'rate_limited'],
    [422, 'invalid_request', 'refused'],
    [409, 'never_seen', 'unavailable'],
  ])('interprets the status %i with the code %s as %s', async (status, rawCode, kind) => {
    harness.stub.on(ACCOUNT, (_call, response) => refuse(response, status, rawCode));
    const session = await harness.open('sandbox');
    await expect(session.keyInfo()).rejects.toMatchObject({ name: 'ExchangeError', kind, rawCode });
    expect(harness.stub.callsOf(ACCOUNT)).toHaveLength(1);
  });

  it.each([
    ['a bare 401', 401, 'unauthorized', 'unavailable', undefined],
    ['a bare 403', 403, '', 'unavailable', undefined],
    ['a bare 429', 429, '', 'rate_limited', undefined],
    ['a redirect', 302, '', 'unavailable', undefined],
    ['a 502', 502, '<html></html>', 'unavailable', undefined],
    ['an invalid token from behind a gateway', 503, '{"error":{"code":"unauthorized"}}', 'unavailable', undefined],
    ['an invalid token with 200', 200, '{"error":{"code":"unauthorized"}}', 'unavailable', 'unusable_answer'],
    ['a page of HTML', 200, '<html></html>', 'unavailable', 'unusable_answer'],
    ['an empty body', 200, '', 'unavailable', 'unusable_answer'],
    ['a response without the requested data', 200, '{}', 'unavailable', 'unusable_answer'],
  ])('never interprets %s as an invalid token', async (_what, status, text, kind, reason) => {
    harness.stub.on(ACCOUNT, (_call, response) => void response.writeHead(status).end(text));
    const session = await harness.open('sandbox');
    await expect(session.keyInfo()).rejects.toMatchObject({ name: 'ExchangeError', kind, reason });
  });

  it('reports a read without a response as unavailable, and does not repeat it', async () => {
    harness.stub.on(ACCOUNT, () => undefined);
    const session = await harness.open('sandbox');
    await expect(session.keyInfo()).rejects.toMatchObject({ kind: 'unavailable' });
    expect(harness.stub.callsOf(ACCOUNT)).toHaveLength(1);
  });

  it('shows no token in its errors', async () => {
    harness.stub.on(ACCOUNT, (_call, response) => refuse(response, 401, 'unauthorized'));
    const credentials = { apiKey: new Secret('visible-token') };
    const session = await harness.exchanges.open(harness.target({ exchange: 'sandbox', credentials }));
    const error: unknown = await session.keyInfo().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    if (error instanceof Error)
      expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toContain('visible');
  });
});
