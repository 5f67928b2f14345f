import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { DAY_MS } from '#platform/clock';
import { CALLBACK, OAuthApp, VERIFIER } from '../../test/oauth.js';
import { TestSandbox } from '../../test/sandbox.js';
import { oauthProviders } from '../ledger/oauth-records.js';

const HOUR_MS = 3_600_000;

describe.each(oauthProviders)('the token endpoint of %s', (provider) => {
  let sandbox: TestSandbox;
  let app: OAuthApp;
  beforeEach(async () => {
    sandbox = await TestSandbox.start();
    app = new OAuthApp(sandbox, provider);
  });
  afterEach(() => sandbox.close());

  const refused = async (code: string, change: Record<string, string>) => {
    const { status, body } = await app.exchange(code, change);
    return [status, body.error];
  };

  it('exchanges a code for tokens that work, in a response that must not be cached', async () => {
    const { code } = await app.decide();
    const { status, body, headers } = await app.exchange(code);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body.expires_in).toBe(provider === 'kraken' ? 86_400 : 3_600);
    expect(body.scope === undefined).toBe(provider === 'kraken');
    expect(await app.statusOf(body.access_token)).toBe(200);
  });

  it('refuses a code with another redirect, verifier or client, and still accepts the code afterwards', async () => {
    const { code } = await app.decide();
    expect(await refused(code, { redirect_uri: `${CALLBACK}?` })).toEqual([400, 'invalid_grant']);
    expect(await refused(code, { code_verifier: 'b'.repeat(43) })).toEqual([400, 'invalid_grant']);
    const without = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK };
    expect((await app.token(without)).body.error).toBe('invalid_grant');
    expect(await refused('unknown', {})).toEqual([400, 'invalid_grant']);
    await sandbox.control('POST', 'oauth/clients', { clientId: 'other', secret: 'its-secret' });
    const stranger = { client_id: 'other', client_secret: 'its-secret' };
    const basic = { authorization: `Basic ${Buffer.from('other:its-secret').toString('base64')}` };
    const asOther = { ...without, code_verifier: VERIFIER, ...(provider === 'coinbase' ? stranger : {}) };
    expect((await app.token(asOther, provider === 'coinbase' ? {} : basic)).body.error).toBe('invalid_grant');
    expect((await app.exchange(code)).status).toBe(200);
  });

  it('issues no token for a code with a verifier when the authorization request had no challenge', async () => {
    if (provider === 'partner') {
      // The partner API refuses such an authorization request, so there is no code.
      const { redirectTo } = await app.decide({}, { code_challenge: undefined });
      return expect(Object.fromEntries(new URL(redirectTo).searchParams)).toMatchObject({
        error: 'invalid_request',
        error_description: 'a code_challenge (S256) is required',
      });
    }
    const { code } = await app.decide({}, { code_challenge: undefined, code_challenge_method: undefined });
    expect(await refused(code, {})).toEqual([400, 'invalid_grant']);
  });

  it('accepts a code for one minute', async () => {
    const [early, late] = [await app.decide(), await app.decide()];
    sandbox.advance(59_999);
    expect((await app.exchange(early.code)).status).toBe(200);
    sandbox.advance(1);
    expect(await refused(late.code, {})).toEqual([400, 'invalid_grant']);
  });

  it('revokes the tokens of a code that is used twice', async () => {
    const { code } = await app.decide();
    const first = await app.exchange(code);
    expect(await refused(code, {})).toEqual([400, 'invalid_grant']);
    expect(await app.statusOf(first.body.access_token)).toBe(401);
    expect((await app.refresh(first.body.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('rotates refresh tokens, and revokes the grant when an old one is used again', async () => {
    const { tokens } = await app.connect();
    const second = await app.refresh(tokens.refresh_token);
    expect(second.status).toBe(200);
    expect(second.body.refresh_token).not.toBe(tokens.refresh_token);
    // Kraken: "When a new access token is issued, the old one is immediately invalid." The partner API does the same.
    expect(await app.statusOf(tokens.access_token)).toBe(provider === 'coinbase' ? 200 : 401);
    expect(await app.statusOf(second.body.access_token)).toBe(200);
    const replay = await app.refresh(tokens.refresh_token);
    expect([replay.status, replay.body.error]).toEqual([400, 'invalid_grant']);
    expect(await app.statusOf(second.body.access_token)).toBe(401);
    expect((await app.refresh(second.body.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('lets access tokens and refresh tokens expire after their documented lifetimes', async () => {
    const { tokens } = await app.connect();
    sandbox.advance((provider === 'kraken' ? DAY_MS : HOUR_MS) - 1);
    expect(await app.statusOf(tokens.access_token)).toBe(200);
    sandbox.advance(1);
    expect(await app.statusOf(tokens.access_token)).toBe(401);
    sandbox.advance((provider === 'coinbase' ? 548 : 30) * DAY_MS);
    const late = await app.refresh(tokens.refresh_token);
    expect([late.status, late.body.error]).toEqual([provider === 'coinbase' ? 401 : 400, 'invalid_grant']);
  });

  it('refuses a wrong client secret, an unknown client, an invalid request and an unknown refresh token', async () => {
    const { code } = await app.decide();
    const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: VERIFIER };
    const wrong =
      provider === 'coinbase'
        ? await app.token({ ...form, client_secret: 'wrong' })
        : await app.token(form, app.clientHeaders('wrong'));
    expect([wrong.status, wrong.body.error]).toEqual([401, 'invalid_client']);
    const unknown =
      provider === 'coinbase'
        ? await app.token({ ...form, client_id: 'unknown' })
        : await app.token(form, app.clientHeaders(undefined, 'unknown'));
    expect([unknown.status, unknown.body.error]).toEqual([401, 'invalid_client']);
    expect((await app.token({ ...form, grant_type: 'password' })).body.error).toBe('unsupported_grant_type');
    expect((await app.token({ ...form, code: '' })).body.error).toBe('invalid_request');
    expect((await app.refresh('unknown')).body.error).toBe('invalid_grant');
    expect((await app.exchange(code)).status).toBe(200);
  });

  it('responds with the error of an armed fault, and can lose the response after the tokens were rotated', async () => {
    const { tokens } = await app.connect();
    const endpoint = `oauth.${provider}.token`;
    await sandbox.arm(endpoint, 'definite_refusal', { error: 'server_error' });
    await sandbox.arm(endpoint, 'definite_refusal');
    await sandbox.arm(endpoint, 'service_unavailable');
    await sandbox.arm(endpoint, 'answer_lost');
    const responses = [];
    for (let index = 0; index < 3; index += 1) responses.push(await app.refresh(tokens.refresh_token));
    expect(responses.map(({ status, body }) => [status, body.error])).toEqual([
      [500, 'server_error'],
      [400, 'invalid_grant'],
      [503, 'temporarily_unavailable'],
    ]);
    await expect(app.refresh(tokens.refresh_token)).rejects.toThrow();
    expect((await app.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
    expect((await sandbox.control('POST', 'faults', { endpoint, fault: 'wrong_nonce' })).status).toBe(422);
    const { body } = await sandbox.control('GET', `requests?endpoint=${endpoint}`);
    expect(JSON.stringify(body)).not.toContain(tokens.refresh_token);
  });

  it('remembers codes, tokens and revocations after a restart', async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'sandbox-oauth-'));
    const ledgerFile = path.join(directory, 'ledger.jsonl');
    const first = await TestSandbox.start({ ledgerFile });
    const before = new OAuthApp(first, provider);
    const [{ code }, kept, revoked] = [await before.decide(), await before.connect(), await before.connect()];
    await first.control('POST', `oauth/grants/${revoked.grantId}/revoke`);
    const rotated = await before.refresh(kept.tokens.refresh_token);
    await first.close();
    const second = await TestSandbox.start({ ledgerFile });
    try {
      const after = new OAuthApp(second, provider);
      expect((await after.exchange(code)).status).toBe(200);
      expect((await after.exchange(code)).body.error).toBe('invalid_grant');
      expect(await after.statusOf(rotated.body.access_token)).toBe(200);
      expect(await after.statusOf(revoked.tokens.access_token)).toBe(401);
      expect((await after.refresh(revoked.tokens.refresh_token)).status).toBe(400);
      expect((await after.refresh(rotated.body.refresh_token)).status).toBe(200);
    } finally {
      await second.close();
      rmSync(directory, { recursive: true });
    }
  });

  it('never has two working refresh tokens for one grant, in any order of calls', async () => {
    const action = fc.oneof(
      fc.nat(5).map((which) => ({ kind: 'refresh', which }) as const),
      fc.constant({ kind: 'replay code' } as const),
      fc.constant({ kind: 'expire' } as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 8 }), async (actions) => {
        const { code, grantId, tokens } = await app.connect();
        const seen = [tokens.refresh_token];
        let isOver = false;
        for (const one of actions) {
          if (one.kind === 'replay code') await app.exchange(code);
          if (one.kind === 'expire')
            await sandbox.control('POST', `oauth/grants/${grantId}/expire`, { what: 'refresh' });
          if (one.kind !== 'refresh') {
            isOver = true;
            continue;
          }
          const presented = seen[one.which % seen.length];
          const isNewest = presented === seen.at(-1);
          const response = await app.refresh(presented);
          expect(response.status === 200).toBe(isNewest && !isOver);
          if (response.status === 200) seen.push(response.body.refresh_token);
          else isOver = true;
        }
      }),
      { numRuns: 15 },
    );
  });
});

describe('client authentication', () => {
  let sandbox: TestSandbox;
  beforeEach(async () => {
    sandbox = await TestSandbox.start();
  });
  afterEach(() => sandbox.close());

  const encoded = { authorization: `Basic ${Buffer.from('causeway:causeway%2Dsandbox%2Dsecret').toString('base64')}` };
  const body = { client_id: 'causeway', client_secret: 'causeway-sandbox-secret' };

  it('at Kraken is Basic without form-encoding, as documented', async () => {
    const app = new OAuthApp(sandbox, 'kraken');
    const form = { grant_type: 'refresh_token', refresh_token: 'any' };
    expect((await app.token(form, encoded)).body.error).toBe('invalid_client');
    expect((await app.token({ ...form, ...body }, {})).body.error).toBe('invalid_client');
    expect((await app.token(form)).body.error).toBe('invalid_grant');
  });

  it('at the partner API accepts both methods of RFC 6749', async () => {
    const app = new OAuthApp(sandbox, 'partner');
    const form = { grant_type: 'refresh_token', refresh_token: 'any' };
    expect((await app.token(form, encoded)).body.error).toBe('invalid_grant');
    expect((await app.token({ ...form, ...body }, {})).body.error).toBe('invalid_grant');
    const refusal = await app.token(form, {});
    expect(refusal.headers.get('www-authenticate')).toContain('Basic');
  });

  it('at Coinbase refuses Basic, because the secret belongs in the body', async () => {
    const app = new OAuthApp(sandbox, 'coinbase');
    const form = { grant_type: 'refresh_token', refresh_token: 'any', client_id: '', client_secret: '' };
    expect((await app.token(form, encoded)).body.error).toBe('invalid_client');
  });
});

describe('a grant', () => {
  let sandbox: TestSandbox;
  beforeEach(async () => {
    sandbox = await TestSandbox.start();
  });
  afterEach(() => sandbox.close());

  it.each(['access_token', 'refresh_token'] as const)('at the partner API is revoked by its %s', async (which) => {
    const app = new OAuthApp(sandbox, 'partner');
    const { tokens } = await app.connect();
    const revoke = (token: string, headers?: Record<string, string>) =>
      app.post('/partner/oauth/revoke', { token }, headers);
    expect((await revoke(tokens[which] ?? '', {})).status).toBe(401);
    expect(await app.statusOf(tokens.access_token)).toBe(200);
    expect((await revoke(tokens[which] ?? '')).status).toBe(200);
    expect((await revoke('unknown')).status).toBe(200);
    expect((await revoke('')).body.error).toBe('invalid_request');
    expect(await app.statusOf(tokens.access_token)).toBe(401);
    expect((await app.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('at the partner API is not revoked by another client', async () => {
    const app = new OAuthApp(sandbox, 'partner');
    const { tokens } = await app.connect();
    await sandbox.control('POST', 'oauth/clients', { clientId: 'other', secret: 's' });
    const other = { authorization: `Basic ${Buffer.from('other:s').toString('base64')}` };
    const response = await app.post('/partner/oauth/revoke', { token: tokens.access_token }, other);
    expect(response.body.error).toBe('unauthorized_client');
    expect(await app.statusOf(tokens.access_token)).toBe(200);
  });

  it('at Coinbase is revoked only when the token or the client secret authenticates the call; every response is 200', async () => {
    const app = new OAuthApp(sandbox, 'coinbase');
    const [one, two] = [await app.connect(), await app.connect()];
    const revoke = async (token: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
      (await app.post('/oauth2/revoke', { client_secret: '', token, ...form }, headers)).status;
    const { access_token: token } = one.tokens;
    expect(await revoke(token, {})).toBe(200);
    expect(await revoke(token, { access_token: two.tokens.access_token })).toBe(200);
    expect(await app.statusOf(token)).toBe(200);
    expect(await revoke(token, {}, { authorization: `Bearer ${token}` })).toBe(200);
    expect(await app.statusOf(token)).toBe(401);
    expect(await revoke(two.tokens.access_token, { client_secret: 'causeway-sandbox-secret' })).toBe(200);
    expect(await app.statusOf(two.tokens.access_token)).toBe(401);
  });

  it('at Coinbase has no refresh token without offline_access', async () => {
    const app = new OAuthApp(sandbox, 'coinbase');
    const { code } = await app.decide({}, { scope: 'wallet:user:read,wallet:accounts:read' });
    const { body } = await app.exchange(code);
    expect(body.refresh_token).toBeUndefined();
    expect(body.scope).toBe('wallet:user:read wallet:accounts:read');
  });
});
