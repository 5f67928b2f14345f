import { OAuthApp } from '../../test/oauth.js';
import { TestSandbox } from '../../test/sandbox.js';

const PREFIX = 'account.fast-api-key:';

describe('a fast API key', () => {
  let sandbox: TestSandbox;
  let app: OAuthApp;
  beforeEach(async () => {
    sandbox = await TestSandbox.start();
    app = new OAuthApp(sandbox, 'kraken');
  });
  afterEach(() => sandbox.close());

  interface Made {
    status: number;
    body: { error?: string; result: { api_key: string; secret: string; permissions: Record<string, boolean> } };
  }
  const make = async (token: string, input: unknown = {}): Promise<Made> => {
    const response = await fetch(`${sandbox.url}/oauth/fast-api-key`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: typeof input === 'string' ? input : JSON.stringify(input),
    });
    return { status: response.status, body: (await response.json()) as Made['body'] };
  };
  const granted = async (...names: string[]) => {
    const { code, grantId } = await app.decide({}, { scope: names.map((name) => PREFIX + name).join(' ') });
    return { grantId, token: (await app.exchange(code)).body.access_token };
  };
  const info = async ({ result }: Made['body'], nonce: string) => {
    const response = await sandbox.call({ apiKey: result.api_key, apiSecret: result.secret }, 'GetApiKeyInfo', {
      nonce,
    });
    return (await response.json()) as { error: string[]; result?: Record<string, unknown> };
  };

  it('is an ordinary key pair with the permissions that were granted and requested', async () => {
    const { token } = await granted('write', 'funds-query', 'ledger-query');
    const ends = Math.floor(sandbox.clock.now.getTime() / 1_000) + 60;
    const made = await make(token, {
      api_key_name: 'Causeway',
      ip_allowlist: ['127.0.0.1'],
      nonce_window: 10_000,
      valid_until: ends,
      permissions: { funds_query: true, funds_withdraw: false },
    });
    expect(made.status).toBe(200);
    expect(made.body.result).toMatchObject({ api_key_name: 'Causeway', oauth_client: 'causeway', valid_until: ends });
    expect(made.body.result.permissions).toMatchObject({ funds_query: true, ledger_query: false });
    expect((await info(made.body, '1')).result).toMatchObject({
      permissions: ['query-funds'],
      ipAllowlist: ['127.0.0.1'],
      nonceWindow: 10_000,
      validUntil: String(ends),
    });
    sandbox.advance(60_000);
    expect((await info(made.body, '2')).error).toEqual(['EAPI:Invalid key']);
  });

  it('has all granted permissions when the request names none', async () => {
    const { token } = await granted('write', 'funds-query', 'funds-withdraw', 'trades-modify');
    const made = await make(token);
    const { result } = await info(made.body, '1');
    expect([...(result?.permissions as string[])].sort()).toEqual(['modify-trades', 'query-funds', 'withdraw-funds']);
    expect(result).toMatchObject({ validUntil: '0', ipAllowlist: [] });
    const client = sandbox.ccxt({ apiKey: made.body.result.api_key, apiSecret: made.body.result.secret });
    client.nonce = () => 2;
    expect((await client.fetchBalance()).total).toMatchObject({ BTC: 5 });
  });

  it('is refused for missing permissions, invalid bodies and invalid tokens', async () => {
    const { token } = await granted('write', 'funds-query');
    const withdrawing = await make(token, { permissions: { funds_withdraw: true } });
    expect([withdrawing.status, withdrawing.body.error]).toEqual([403, 'insufficient_scope']);
    expect((await make((await granted('funds-query')).token)).body.error).toBe('insufficient_scope');
    for (const input of [
      'not json',
      { nonce_window: -1 },
      { permissions: { everything: true } },
      { api_key_name: '' },
    ]) {
      expect(await make(token, input)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    }
    const { tokens } = await new OAuthApp(sandbox, 'coinbase').connect();
    for (const stranger of ['unknown', tokens.access_token]) {
      expect(await make(stranger)).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
    }
    sandbox.advance(24 * 3_600_000);
    expect((await make(token)).status).toBe(401);
  });

  it('stays valid after its token has expired, and ends with its grant', async () => {
    const { token, grantId } = await granted('write', 'funds-query');
    const made = await make(token);
    sandbox.advance(25 * 3_600_000);
    expect((await info(made.body, '1')).error).toEqual([]);
    await sandbox.control('POST', `oauth/grants/${grantId}/revoke`);
    expect((await info(made.body, '2')).error).toEqual(['EAPI:Invalid key']);
  });

  it('is deleted by its name', async () => {
    const { token } = await granted('write', 'funds-query');
    const remove = async (input: unknown, bearer = token): Promise<number> => {
      const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
      const init = { method: 'DELETE', headers, body: JSON.stringify(input) };
      return (await fetch(`${sandbox.url}/oauth/fast-api-key`, init)).status;
    };
    const [made, other] = [await make(token, { api_key_name: 'one' }), await make(token, { api_key_name: 'other' })];
    expect(await remove({ api_key_name: 'one' })).toBe(200);
    expect((await info(made.body, '1')).error).toEqual(['EAPI:Invalid key']);
    expect((await info(other.body, '1')).error).toEqual([]);
    expect(await remove({ api_key_name: 'one' })).toBe(404);
    expect(await remove({})).toBe(400);
    expect(await remove({ api_key_name: 'other' }, 'nobody')).toBe(401);
    expect(await remove({ api_key_name: 'other' }, (await granted('funds-query')).token)).toBe(403);
  });

  it("is not needed to read the identity of the account's owner", async () => {
    const ask = async (scope: string) => {
      const { code, accountId } = await app.decide({}, { scope });
      await sandbox.control('POST', `accounts/${accountId}/identity`, { email: 'ada@example.com', iban: 'AA88N84G' });
      const headers = { authorization: `Bearer ${(await app.exchange(code)).body.access_token}` };
      const response = await fetch(`${sandbox.url}/oauth/userinfo`, { headers });
      return { status: response.status, body: await response.json() };
    };
    expect(await ask('account.info:basic')).toEqual({
      status: 200,
      body: { result: { email: 'ada@example.com', iban: 'AA88N84G' } },
    });
    expect((await ask('account.fast-api-key:write')).status).toBe(403);
    expect((await fetch(`${sandbox.url}/oauth/userinfo`)).status).toBe(401);
  });
});
