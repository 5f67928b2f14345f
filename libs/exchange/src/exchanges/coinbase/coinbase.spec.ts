import { createVerify, generateKeyPairSync } from 'node:crypto';
import { Amount } from '#money';
import { Secret } from '#platform/crypto';
import type { ExchangeCredentials, ExchangeSession } from '../../port/exchange.port.js';
import { coinbaseDocumented, speakCoinbase } from '../../testing/coinbase-documentation.js';
import { ExchangeHarness } from '../../testing/exchange-harness.js';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const PEM = privateKey.export({ type: 'sec1', format: 'pem' }).toString();
const NAME = 'organizations/8c1c1f4f-0000-4c3e-8d3e-2a0c9f0d9b11/apiKeys/d2efa49a-369c-43d7-a60e-ae26e28853c2';
const ACCOUNTS = 'GET /api/v3/brokerage/accounts';
const USER_AUTH = 'GET /v2/user/auth';

const bearer: ExchangeCredentials = { apiKey: new Secret('visible-token') };
const key = (secret: string): ExchangeCredentials => ({ apiKey: new Secret(NAME), apiSecret: new Secret(secret) });

describe('a session at Coinbase', () => {
  let harness: ExchangeHarness;

  beforeAll(async () => {
    harness = await ExchangeHarness.start({ EXCHANGE_TIMEOUT_MS: '400' });
  });
  afterAll(() => harness.close());
  beforeEach(() => {
    speakCoinbase(harness.stub);
    harness.stub.calls.length = 0;
  });

  const open = (credentials: ExchangeCredentials): Promise<ExchangeSession> =>
    harness.exchanges.open(harness.target({ exchange: 'coinbase', credentials }));

  it('adds up the accounts of all pages exactly, counts each account once, and includes held amounts', async () => {
    const balances = await (await open(bearer)).balances();
    expect(balances).toEqual([
      {
        asset: 'BTC',
        free: Amount.of('1.230000000000000001'),
        used: Amount.of('2.1'),
        total: Amount.of('3.330000000000000001'),
        withdrawable: Amount.of('1.230000000000000001'),
        elsewhere: [{ account: 'ACCOUNT_TYPE_VAULT', kind: 'locked', amount: Amount.of('2') }],
      },
      { asset: 'CGLD', free: Amount.of('7'), used: Amount.zero, total: Amount.of('7'), withdrawable: Amount.of('7') },
      {
        asset: 'EUR',
        free: Amount.of('100.25'),
        used: Amount.zero,
        total: Amount.of('100.25'),
        withdrawable: Amount.of('100.25'),
      },
      {
        asset: 'USDC',
        free: Amount.of('50'),
        used: Amount.of('10'),
        total: Amount.of('60'),
        withdrawable: Amount.zero,
        elsewhere: [{ account: 'ACCOUNT_PLATFORM_INTX', kind: 'free', amount: Amount.of('50') }],
      },
    ]);
    expect(harness.stub.callsOf(ACCOUNTS).map(({ params }) => params)).toEqual([
      { limit: '250' },
      { limit: '250', cursor: '789100' },
    ]);
  });

  it('sends its token and the version of the API', async () => {
    await (await open(bearer)).balances();
    expect(harness.stub.calls[0]?.headers).toMatchObject({ authorization: 'Bearer visible-token' });
    expect(harness.stub.calls[0]?.headers['cb-version']).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  it.each([
    ['in the format of a PEM file', PEM],
    ['with the escaped line breaks of JSON', PEM.replaceAll('\n', '\\n')],
    ['with spaces instead of line breaks', PEM.replaceAll('\n', ' ')],
    ['without line breaks', PEM.replaceAll('\n', '')],
    ['as PKCS 8', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()],
  ])('signs with a private key %s', async (_how, secret) => {
    await (await open(key(secret))).keyInfo();
    const [, token] = String(harness.stub.calls[0]?.headers.authorization).split(' ');
    const [header = '', claims = '', signature = ''] = (token ?? '').split('.');
    const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
    expect(read(header)).toMatchObject({ alg: 'ES256', kid: NAME });
    expect(read(claims)).toMatchObject({ sub: NAME });
    const verified = createVerify('SHA256').update(`${header}.${claims}`);
    expect(verified.verify({ key: publicKey, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'))).toBe(
      true,
    );
  });

  it.each([
    ['cut off', PEM.slice(0, -30)],
    ['of another kind', generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()],
    ['with missing characters', PEM.replace(/\n[^\n]{40}/, '\n')],
  ])('refuses a private key %s without a request, and keeps it out of the error', async (_what, secret) => {
    const error: unknown = await open(key(secret)).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: 'credentials_invalid' });
    const lines = secret.split('\n').filter((line) => !line.startsWith('-----') && line !== '');
    for (const line of lines) expect(error instanceof Error ? error.stack : '').not.toContain(line);
    expect(harness.stub.calls).toEqual([]);
  });

  const ED25519 = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
  const SEED = Buffer.concat([ED25519, ED25519]).toString('base64');

  it.each([
    ['a name and an EC key in each other’s field', PEM, NAME],
    ['a name and an Ed25519 key in each other’s field', SEED, 'd2efa49a-369c-43d7-a60e-ae26e28853c2'],
    ['a name in both fields', NAME, NAME],
    ['the name of a developer platform key as the secret of an older key', 'legacy', NAME],
    ['a secret that is no key', NAME, 'not-a-key'],
    ['a secret of two words', 'legacy', 'not a-key'],
    ['a blank secret', NAME, ' '],
    ['a blank name', ' ', PEM],
    ['a part of an Ed25519 key', NAME, SEED.slice(-8)],
    ['an Ed25519 key with a space in it', NAME, `${SEED.slice(0, 40)} ${SEED.slice(41)}`],
  ])('refuses %s without a request', async (_what, apiKey, apiSecret) => {
    const credentials = { apiKey: new Secret(apiKey), apiSecret: new Secret(apiSecret) };
    const asked = open(credentials).then((session) => session.keyInfo());
    await expect(asked).rejects.toMatchObject({ kind: 'credentials_invalid', reason: 'invalid_signature' });
    expect(harness.stub.calls).toEqual([]);
  });

  it.each([
    ['an Ed25519 key', 'd2efa49a-369c-43d7-a60e-ae26e28853c2', SEED, 'authorization'],
    ['an older key', 'aB3dE5', 'a-secret/of+before', 'cb-access-sign'],
  ])('signs with %s', async (_what, apiKey, apiSecret, header) => {
    const session = await open({ apiKey: new Secret(apiKey), apiSecret: new Secret(`${apiSecret}\n`) });
    expect((await session.keyInfo()).permissions).toEqual(['view', 'transfer']);
    expect(harness.stub.calls[0]?.headers[header]).toBeDefined();
  });

  it('reports the scopes of a token, and the permissions of a key', async () => {
    expect((await (await open(bearer)).keyInfo()).permissions).toEqual(['wallet:accounts:read', 'wallet:user:read']);
    expect((await (await open(key(PEM))).keyInfo()).permissions).toEqual(['view', 'transfer']);
  });

  it('returns the parts of an identity that Coinbase reports, and null for the others', async () => {
    const { identity } = await open(bearer);
    expect(await identity?.read()).toEqual({
      fullName: 'User One',
      email: 'user1@example.com',
      iban: null,
      country: 'US',
    });
    harness.stub.on('GET /v2/user', () => ({ data: { id: '1', name: '' } }));
    expect(await identity?.read()).toEqual({ fullName: null, email: null, iban: null, country: null });
    harness.stub.on('GET /v2/user', () => ({ data: { name: '   ', email: ' ' } }));
    expect(await identity?.read()).toEqual({ fullName: null, email: null, iban: null, country: null });
    const long = 'Ada '.repeat(100);
    harness.stub.on('GET /v2/user', () => ({
      data: { name: long, email: 'ada@example.com', country: { code: null } },
    }));
    expect(await identity?.read()).toEqual({ fullName: long, email: 'ada@example.com', iban: null, country: null });
  });

  it.each([
    ['a bare 401, which valid credentials get at times', 401, 'Unauthorized\n', 'unavailable'],
    ['a 401 of Advanced Trade', 401, '{"error":"unauthorized","message":"Unauthorized"}', 'unavailable'],
    ['a denial of Advanced Trade', 403, '{"error":"PERMISSION_DENIED","code":7}', 'permission_missing'],
    ['a revoked token from behind a gateway', 502, '{"errors":[{"id":"revoked_token"}]}', 'unavailable'],
    ['a 503', 503, '', 'unavailable'],
    ['a page of HTML', 200, '<html></html>', 'unavailable'],
    ['an empty object', 200, '{}', 'unavailable'],
    [
      'a balance that is a number',
      200,
      '{"accounts":[{"uuid":"a","currency":"BTC","available_balance":{"value":1},"hold":{"value":"0"}}],"has_next":false}',
      'unavailable',
    ],
    ['a page that has a next page, but no cursor', 200, '{"accounts":[],"has_next":true,"cursor":""}', 'unavailable'],
  ])('never interprets %s as an invalid token', async (_what, status, body, kind) => {
    harness.stub.on(ACCOUNTS, (_call, response) => void response.writeHead(status).end(body));
    await expect((await open(bearer)).balances()).rejects.toMatchObject({ name: 'ExchangeError', kind });
  });

  it.each(['{"error":"unauthorized"}', 'Unauthorized\n'])(
    'calls /v2/user/auth to learn the reason when a token is refused with %j',
    async (body) => {
      harness.stub.on(ACCOUNTS, (_call, response) => void response.writeHead(401).end(body));
      await expect((await open(bearer)).balances()).rejects.toMatchObject({ kind: 'unavailable' });
      harness.stub.on(
        USER_AUTH,
        (_call, response) => void response.writeHead(401).end('{"errors":[{"id":"expired_token"}]}'),
      );
      await expect((await open(bearer)).balances()).rejects.toMatchObject({ rawCode: 'expired_token' });
      await expect((await open(key(PEM))).balances()).rejects.toMatchObject({ kind: 'unavailable' });
      expect(harness.stub.callsOf(USER_AUTH)).toHaveLength(2);
    },
  );

  it('fails when the list of accounts never ends', async () => {
    harness.stub.on(ACCOUNTS, () => ({ ...coinbaseDocumented.accounts.first, has_next: true }));
    await expect((await open(bearer)).balances()).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('shows no token in its errors', async () => {
    harness.stub.on(USER_AUTH, (_call, response) => {
      response.writeHead(401).end('{"errors":[{"id":"revoked_token","message":"no"}]}');
    });
    const error: unknown = await (await open(bearer)).keyInfo().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    if (error instanceof Error) expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain('visible');
  });
});
