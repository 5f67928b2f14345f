import { CALLBACK, OAuthApp } from '../../test/oauth.js';
import { PartnerClient } from '../../test/partner.js';
import { TestSandbox } from '../../test/sandbox.js';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await TestSandbox.start();
});
afterEach(() => sandbox.close());

describe('registering a client', () => {
  it('creates a secret by default, and changes only the given fields', async () => {
    const register = async (input: object) => (await sandbox.control('POST', 'oauth/clients', input)).body;
    const first = await register({ clientId: 'app', redirectUris: ['https://app.example/back'] });
    expect(first).toMatchObject({ secret: expect.stringMatching(/^.{32}$/) as string, takesLoopback: false });
    expect(await register({ clientId: 'app', name: 'An app' })).toEqual({ ...(first as object), name: 'An app' });
    const url = new OAuthApp(sandbox, 'kraken').url({ client_id: 'app', redirect_uri: CALLBACK });
    expect((await fetch(url)).status).toBe(400);
  });

  it('can shorten the token lifetimes of the built-in client, and leaves its other settings unchanged', async () => {
    await sandbox.control('POST', 'oauth/clients', { clientId: 'causeway', accessSeconds: 5, refreshSeconds: 10 });
    const app = new OAuthApp(sandbox, 'partner');
    const { tokens } = await app.connect();
    expect(tokens.expires_in).toBe(5);
    sandbox.advance(5_000);
    expect(await app.statusOf(tokens.access_token)).toBe(401);
    const second = await app.refresh(tokens.refresh_token);
    expect(await app.statusOf(second.body.access_token)).toBe(200);
    sandbox.advance(10_000);
    expect((await app.refresh(second.body.refresh_token)).body.error).toBe('invalid_grant');
    await sandbox.control('POST', 'oauth/clients', { clientId: 'causeway', accessSeconds: null });
    expect((await app.connect()).tokens.expires_in).toBe(3_600);
  });

  it('is undone by a reset, which also deletes every grant', async () => {
    await sandbox.control('POST', 'oauth/clients', { clientId: 'app' });
    const app = new OAuthApp(sandbox, 'coinbase');
    const { tokens } = await app.connect();
    await sandbox.control('POST', 'reset');
    expect(await app.statusOf(tokens.access_token)).toBe(401);
    expect((await fetch(app.url({ client_id: 'app' }))).status).toBe(400);
    expect((await app.connect()).tokens.access_token).not.toBe('');
  });
});

describe('deciding about an authorization without a browser', () => {
  it('responds to the authorization URL of an application with a redirect, and refuses any other URL', async () => {
    const app = new OAuthApp(sandbox, 'partner');
    const { accountId, grantId, redirectTo } = await app.decide({ scopes: ['read'] });
    expect(redirectTo).toContain(`iss=${encodeURIComponent(`${sandbox.url}/partner`)}`);
    const { body } = await sandbox.control('GET', `oauth/grants?accountId=${accountId}`);
    expect(body).toMatchObject({ grants: [{ id: grantId, provider: 'partner', scopes: ['read'], accessTokens: [] }] });
    expect((await app.decide({ decision: 'deny' })).redirectTo).toContain('error=access_denied');
    expect((await app.decide({ scopes: [] })).redirectTo).toContain('error=access_denied');
    expect((await app.decide({}, { scope: 'everything' })).redirectTo).toContain('error=invalid_scope');
    const status = async (url: string) => (await sandbox.control('POST', 'oauth/authorize', { url })).status;
    expect(await status(`${sandbox.url}/elsewhere`)).toBe(422);
    await expect(app.decide({ accountId: 'nobody' })).rejects.toThrow('no account nobody');
  });
});

describe('a grant', () => {
  it.each([
    ['access', 401, 200],
    ['refresh', 200, 400],
    ['both', 401, 400],
  ])('has tokens that the control API can let expire: %s', async (what, access, refresh) => {
    const app = new OAuthApp(sandbox, 'partner');
    const { grantId, tokens } = await app.connect();
    await sandbox.control('POST', `oauth/grants/${grantId}/expire`, { what });
    expect(await app.statusOf(tokens.access_token)).toBe(access);
    expect((await app.refresh(tokens.refresh_token)).status).toBe(refresh);
  });

  it('is shown as revoked after a revocation, and gets the status 404 when its id is unknown', async () => {
    const app = new OAuthApp(sandbox, 'partner');
    const { accountId, grantId, tokens } = await app.connect();
    await sandbox.control('POST', `oauth/grants/${grantId}/revoke`);
    const client = (await PartnerClient.open(sandbox)).as(tokens.access_token);
    expect((await client.call('GET', '/account')).body).toMatchObject({ error: { code: 'token_revoked' } });
    const { body } = await sandbox.control('GET', `oauth/grants?accountId=${accountId}`);
    expect(body).toMatchObject({
      grants: [{ revoked: true, hasRefreshToken: false, accessTokens: [{ revoked: true }] }],
    });
    expect((await sandbox.control('POST', 'oauth/grants/none/revoke')).status).toBe(404);
    expect((await sandbox.control('POST', 'oauth/grants/none/expire', {})).status).toBe(404);
  });

  it('of the partner API shows in its account when the access token expires', async () => {
    const app = new OAuthApp(sandbox, 'partner');
    const { tokens } = await app.connect();
    const client = (await PartnerClient.open(sandbox)).as(tokens.access_token);
    const ends = Math.floor(sandbox.clock.now.getTime() / 1_000) + 3_600;
    expect((await client.call('GET', '/account')).body).toMatchObject({ tokenExpiresAt: ends });
  });
});

describe('an identity', () => {
  it('has the fields that the control API has set; any of them may be null', async () => {
    const client = await PartnerClient.open(sandbox, { name: 'Ida' });
    const read = async () => (await client.call('GET', '/identity')).body;
    expect(await read()).toMatchObject({ fullName: 'Ida', country: 'DE', iban: expect.any(String) as string });
    const say = (input: object) => sandbox.control('POST', `accounts/${client.account.accountId}/identity`, input);
    await say({ fullName: 'Ida Muster', iban: null, country: 'AT' });
    expect(await read()).toMatchObject({ fullName: 'Ida Muster', iban: null, country: 'AT' });
    await say({ fullName: null, email: null, country: null });
    expect(await read()).toEqual({ fullName: null, email: null, iban: null, country: null });
    expect((await say({ country: 'Austria' })).status).toBe(422);
    expect((await sandbox.control('POST', 'accounts/nobody/identity', {})).status).toBe(404);
  });

  it('has a different IBAN at Kraken for each account, unless the control API sets one', async () => {
    const [account, other] = [await sandbox.open(), await sandbox.open()];
    const shown = async (nonce: string, of = account) => {
      const response = await sandbox.call(of, 'GetApiKeyInfo', { nonce });
      return ((await response.json()) as { result: { iban: string } }).result.iban;
    };
    const derived = await shown('1');
    expect(derived).toMatch(/^AA88 N84G [0-9A-F]{4} [0-9A-F]{4}$/);
    expect(await shown('2')).toBe(derived);
    expect(await shown('1', other)).not.toBe(derived);
    const iban = 'AA88 N84G WXYZ 1234';
    await sandbox.control('POST', `accounts/${account.accountId}/identity`, { iban });
    expect(await shown('3')).toBe(iban);
  });
});

describe('faults of authorizations', () => {
  it.each([
    ['oauth.partner.token', 'history_lags'],
    ['oauth.kraken.fast-api-key', 'zero_prices'],
    ['coinbase.user', 'wrong_nonce'],
    ['partner.qr.read', 'tag_missing'],
  ])('for the endpoint %s do not include %s', async (endpoint, fault) => {
    expect((await sandbox.control('POST', 'faults', { endpoint, fault })).status).toBe(422);
  });

  it('accept only known error codes', async () => {
    const arm = async (error: string) =>
      (await sandbox.control('POST', 'faults', { endpoint: 'oauth.kraken.token', fault: 'definite_refusal', error }))
        .status;
    expect(await arm('no_such_error')).toBe(422);
    expect(await arm('invalid_client')).toBe(200);
  });

  it('can garble a response, and hold back a response after the tokens were renewed', async () => {
    const app = new OAuthApp(sandbox, 'kraken');
    const { tokens } = await app.connect();
    const endpoint = 'oauth.kraken.token';
    await sandbox.arm(endpoint, 'malformed_before');
    await expect(app.refresh(tokens.refresh_token)).rejects.toThrow();
    await sandbox.arm(endpoint, 'hang_after');
    const hanging = app.refresh(tokens.refresh_token).catch(() => 'cut');
    const fired = async () => {
      const { body } = await sandbox.control('GET', 'oauth/grants');
      return (body as { grants: { accessTokens: { revoked: boolean }[] }[] }).grants[0]?.accessTokens.length;
    };
    const deadline = Date.now() + 5_000;
    while ((await fired()) !== 2 && Date.now() < deadline) await new Promise((resolve) => setImmediate(resolve));
    await sandbox.control('DELETE', 'faults');
    expect(await hanging).toBe('cut');
    expect((await app.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
  });
});
