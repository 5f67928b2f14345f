import { coinbase } from 'ccxt';
import { OAuthApp } from '../../test/oauth.js';
import { TestSandbox } from '../../test/sandbox.js';

interface Opened {
  accountId: string;
  apiKey: string;
  apiSecret: string;
}

let sandbox: TestSandbox;
beforeEach(async () => {
  // ccxt signs with the real time.
  sandbox = await TestSandbox.start({ now: () => new Date() });
});
afterEach(() => sandbox.close());

const client = (credentials: { token: string } | { apiKey: string; secret: string }) => {
  const one = new coinbase({ ...credentials, enableRateLimit: false });
  (one.urls.api as Record<string, string>).rest = sandbox.url;
  return one;
};
const open = async (input: Record<string, unknown> = {}): Promise<Opened> => {
  const balances = { BTC: '1.5', USD: '10', ETH: '2' };
  return (await sandbox.control('POST', 'coinbase/accounts', { balances, ...input })).body as Opened;
};
const get = async (path: string, token: string) => {
  const response = await fetch(sandbox.url + path, { headers: { authorization: `Bearer ${token}` } });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

describe("ccxt's unmodified class for Coinbase", () => {
  it.each(['v2', 'v3'])('reads balances with an access token by %s', async (version) => {
    const { accountId } = await open();
    const { tokens } = await new OAuthApp(sandbox, 'coinbase').connect({ accountId });
    const one = client({ token: tokens.access_token });
    const { total } = await one.fetchBalance(version === 'v3' ? { v3: true } : {});
    expect(total).toMatchObject({ BTC: 1.5, USD: 10, ETH: 2 });
  });

  it.each(['cdp', 'legacy'])('reads balances and permissions with a %s key until the key is revoked', async (kind) => {
    const { apiKey, apiSecret } = await open({ kind, permissions: ['view', 'trade'] });
    const one = client({ apiKey, secret: apiSecret });
    expect((await one.fetchBalance()).total).toMatchObject({ BTC: 1.5 });
    expect(await one.v3PrivateGetBrokerageKeyPermissions()).toMatchObject({
      can_view: true,
      can_trade: true,
      can_transfer: false,
    });
    expect(await one.v3PrivateGetBrokerageAccounts({ limit: 2 })).toMatchObject({ has_next: true });
    await sandbox.control('POST', `keys/${encodeURIComponent(apiKey)}/revoke`);
    await expect(one.v2PrivateGetUser()).rejects.toThrow('invalid api key');
  });

  it.each(['cdp', 'legacy'])('is refused with the secret of another %s key', async (kind) => {
    const [{ apiKey }, { apiSecret }] = [await open({ kind }), await open({ kind })];
    await expect(client({ apiKey, secret: apiSecret }).v2PrivateGetUser()).rejects.toThrow('authentication_error');
  });

  it('is refused with a key without the view permission', async () => {
    const { apiKey, apiSecret } = await open({ permissions: ['trade'] });
    const one = client({ apiKey, secret: apiSecret });
    await expect(one.v3PrivateGetBrokerageAccounts()).rejects.toThrow('PERMISSION_DENIED');
    await expect(one.v2PrivateGetAccounts()).rejects.toThrow('invalid_scope');
  });
});

describe('a signed call to Coinbase', () => {
  it('is refused when its token is for another path, too old, or from the future', async () => {
    const { apiKey, apiSecret } = await open();
    const one = client({ apiKey, secret: apiSecret });
    const tokenFor = (path: string, seconds: number) => one.createAuthToken(seconds, 'GET', sandbox.url + path);
    const now = Math.floor(Date.now() / 1_000);
    expect((await get('/v2/user', tokenFor('/v2/user', now))).status).toBe(200);
    expect((await get('/v2/user', tokenFor('/v2/accounts', now))).status).toBe(401);
    expect((await get('/v2/user', tokenFor('/v2/user', now - 200))).status).toBe(401);
    expect((await get('/v2/user', tokenFor('/v2/user', now + 60))).status).toBe(401);
    expect((await get('/v2/user', 'a.b.c')).status).toBe(401);
  });
});

describe('a grant of Coinbase', () => {
  const scoped = async (...scopes: string[]) => {
    const { accountId } = await open({ name: 'Clara' });
    await sandbox.control('POST', `accounts/${accountId}/identity`, { email: 'clara@mail.example', country: 'US' });
    const { tokens } = await new OAuthApp(sandbox, 'coinbase').connect({ accountId, scopes });
    return tokens.access_token;
  };

  it('shows only those fields of the owner that its scopes allow', async () => {
    const userOf = async (...scopes: string[]) => (await get('/v2/user', await scoped(...scopes))).body.data;
    const plain = await userOf('wallet:accounts:read');
    expect(plain).toMatchObject({ name: 'Clara', resource: 'user' });
    expect(plain).not.toHaveProperty('email');
    expect(plain).not.toHaveProperty('country');
    expect(await userOf('wallet:user:email')).toMatchObject({ email: 'clara@mail.example' });
    expect(await userOf('wallet:user:read')).toMatchObject({ country: { code: 'US', name: 'United States' } });
  });

  it('shows its scopes and the permissions that follow from them', async () => {
    const token = await scoped('wallet:user:read', 'wallet:transactions:send');
    expect((await get('/v2/user/auth', token)).body).toEqual({
      data: { method: 'oauth', scopes: ['wallet:user:read', 'wallet:transactions:send'], oauth_meta: {} },
    });
    expect((await get('/api/v3/brokerage/key_permissions', token)).body).toMatchObject({
      can_view: false,
      can_trade: false,
      can_transfer: true,
    });
    const accounts = await get('/api/v3/brokerage/accounts', token);
    expect([accounts.status, accounts.body.error]).toEqual([403, 'PERMISSION_DENIED']);
    const wallets = await get('/v2/accounts', token);
    expect([wallets.status, wallets.body.errors]).toMatchObject([403, [{ id: 'invalid_scope' }]]);
  });

  it('gives access to one wallet at Coinbase unless the request asks for all wallets', async () => {
    const app = new OAuthApp(sandbox, 'coinbase');
    const sizeOf = async (account: string | undefined): Promise<unknown> => {
      const { code } = await app.decide({}, { scope: 'wallet:accounts:read', account });
      const { body } = await app.exchange(code);
      return (await get('/api/v3/brokerage/accounts', body.access_token)).body.size;
    };
    expect(await sizeOf(undefined)).toBe(1);
    expect(await sizeOf('select')).toBe(1);
    expect(await sizeOf('all')).toBeGreaterThan(1);
  });

  it('lists accounts page by page', async () => {
    const token = await scoped('wallet:accounts:read');
    const list = async (path: string) => (await get(path, token)).body;
    const first = await list('/api/v3/brokerage/accounts?limit=2');
    expect(first).toMatchObject({ has_next: true, size: 2 });
    const second = await list(`/api/v3/brokerage/accounts?limit=2&cursor=${String(first.cursor)}`);
    expect(second).toMatchObject({ has_next: false, size: 1, cursor: '' });
    const page = await list('/v2/accounts?limit=2');
    const { next_uri: next } = page.pagination as { next_uri: string };
    expect((await list(next)).data).toHaveLength(1);
    expect((await get('/v2/accounts?limit=0', token)).status).toBe(400);
    expect((await get('/v2/accounts?starting_after=nothing', token)).status).toBe(400);
  });

  it('that was revoked or has expired gets the documented error, as an unknown token does', async () => {
    const app = new OAuthApp(sandbox, 'coinbase');
    const [revoked, expired] = [await app.connect(), await app.connect()];
    await sandbox.control('POST', `oauth/grants/${revoked.grantId}/revoke`);
    await sandbox.control('POST', `oauth/grants/${expired.grantId}/expire`);
    const idOf = async (token: string) => ((await get('/v2/user', token)).body.errors as { id: string }[])[0]?.id;
    expect(await idOf(revoked.tokens.access_token)).toBe('revoked_token');
    expect(await idOf(expired.tokens.access_token)).toBe('expired_token');
    expect(await idOf('unknown')).toBe('invalid_token');
    const { tokens } = await new OAuthApp(sandbox, 'partner').connect();
    expect(await idOf(tokens.access_token)).toBe('invalid_token');
    expect((await app.refresh(expired.tokens.refresh_token)).status).toBe(200);
    await sandbox.arm('coinbase.user', 'service_unavailable');
    expect(await idOf('unknown')).toBe('internal_server_error');
  });
});
