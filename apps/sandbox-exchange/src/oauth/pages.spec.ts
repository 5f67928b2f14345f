import { CALLBACK, OAuthApp } from '../../test/oauth.js';
import { PartnerClient } from '../../test/partner.js';
import { TestSandbox } from '../../test/sandbox.js';
import { oauthProviders } from '../ledger/oauth-records.js';
import { providers } from './provider.js';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await TestSandbox.start();
});
afterEach(() => sandbox.close());

const get = (url: string) => fetch(url, { redirect: 'manual' });
const press = (url: string, fields: [string, string][]) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
const login = (account = 'new'): [string, string][] => [
  ['step', 'login'],
  ['account', account],
  ['password', 'sandbox'],
];
/** The URL to which a page sends the browser back. */
const targetOf = (page: string): URL => {
  const [, url = ''] = /http-equiv="refresh" content="0; url=([^"]*)"/.exec(page) ?? [];
  expect(page).toContain(`<a href="${url}">`);
  return new URL(url.replaceAll('&amp;', '&'));
};
const hidden = (page: string): [string, string][] => {
  const [, account = ''] = /name="account" value="([^"]*)"/.exec(page) ?? [];
  return [
    ['account', account],
    ['password', 'sandbox'],
  ];
};

describe.each(oauthProviders)('the authorization pages of %s', (provider) => {
  it('let a person log in, read the requested scopes in plain words, and allow them', async () => {
    const app = new OAuthApp(sandbox, provider);
    const scope = Object.keys(providers[provider].scopes).slice(0, 2).join(' ');
    const url = app.url({ scope });
    const first = await get(url);
    expect(first.status).toBe(200);
    expect(first.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(first.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(first.headers.get('referrer-policy')).toBe('no-referrer');
    expect(await first.text()).toContain('Causeway asks for access');
    const consent = await (await press(url, login())).text();
    for (const words of Object.values(providers[provider].scopes).slice(0, 2)) expect(consent).toContain(words);
    expect(consent).not.toContain(Object.values(providers[provider].scopes)[2]);
    const ticked = scope.split(' ').map((one): [string, string] => ['scope', one]);
    const going = await press(url, [['step', 'allow'], ...hidden(consent), ...ticked]);
    expect(going.status).toBe(200);
    const target = targetOf(await going.text());
    expect(`${target.origin}${target.pathname}`).toBe(CALLBACK);
    expect(target.searchParams.get('state')).toBe('state-of-the-test');
    expect(target.searchParams.get('iss')).toBe(provider === 'partner' ? `${sandbox.url}/partner` : null);
    expect((await app.exchange(target.searchParams.get('code') ?? '')).status).toBe(200);
  });

  it('send access_denied to the application when the person refuses at the login or at the consent', async () => {
    const app = new OAuthApp(sandbox, provider);
    const consent = await (await press(app.url(), login())).text();
    for (const fields of [[], hidden(consent)]) {
      const target = targetOf(await (await press(app.url(), [['step', 'deny'], ...fields])).text());
      expect(target.searchParams.get('error')).toBe('access_denied');
      expect(target.searchParams.get('state')).toBe('state-of-the-test');
      expect(target.searchParams.has('code')).toBe(false);
    }
  });

  it('offer a search by name, which finds an account that is not listed', async () => {
    const app = new OAuthApp(sandbox, provider);
    const isPartner = providers[provider].accounts === 'partner';
    const kind = isPartner ? 'partner/accounts' : 'accounts';
    const { accountId } = (await sandbox.control('POST', kind, { name: 'Old Anna' })).body as { accountId: string };
    expect(await (await get(app.url())).text()).not.toContain('role="search"');
    await sandbox.control('POST', `${kind}/bulk`, { count: 60, namePrefix: 'Many' });
    const first = await (await get(app.url())).text();
    expect(first).not.toContain(accountId);
    expect(first).toContain('11 older accounts are not listed.');
    const found = await press(app.url(), [
      ['step', 'search'],
      ['q', 'old anna'],
    ]);
    expect(found.status).toBe(200);
    expect(await found.text()).toContain(`value="${accountId}"`);
    const consent = await press(app.url(), login(accountId));
    expect(await consent.text()).toContain('Old Anna');
  });

  it('refuse a wrong or missing password and an unknown account', async () => {
    const app = new OAuthApp(sandbox, provider);
    const wrong = await press(app.url(), [...login().slice(0, 2), ['password', 'wrong']]);
    expect(wrong.status).toBe(403);
    expect(await wrong.text()).toContain('The password is wrong.');
    const around = await press(app.url(), [
      ['step', 'allow'],
      ['account', 'new'],
      ['scope', 'read'],
    ]);
    expect(around.status).toBe(403);
    const nobody = await press(app.url(), login('nobody'));
    expect(nobody.status).toBe(422);
    const { body } = await sandbox.control('GET', 'oauth/grants');
    expect(body).toEqual({ grants: [] });
  });

  it('never redirect for an unknown client or to an address that is not registered', async () => {
    const app = new OAuthApp(sandbox, provider);
    const changes = [
      { client_id: 'unknown' },
      { client_id: undefined },
      { redirect_uri: 'http://127.0.0.1:3000/v0/elsewhere' },
      { redirect_uri: 'https://evil.example/callback' },
      { redirect_uri: 'http://127.0.0.1.evil.example/callback' },
      { redirect_uri: 'http://user@localhost:1/callback' },
      { redirect_uri: 'http://localhost:1/callback#x' },
      { redirect_uri: 'javascript:alert(1)//callback' },
      { redirect_uri: undefined },
    ];
    for (const change of changes) {
      const response = await get(app.url(change));
      expect([change, response.status, response.headers.get('location')]).toEqual([change, 400, null]);
      const { status } = await sandbox.control('POST', 'oauth/authorize', { url: app.url(change) });
      expect(status).toBe(422);
    }
  });

  it('redirect an invalid request to the application with the error', async () => {
    const app = new OAuthApp(sandbox, provider);
    const errorOf = async (url: string) => {
      const response = await get(url);
      expect(response.status).toBe(302);
      const target = new URL(response.headers.get('location') ?? '');
      expect(target.searchParams.get('state')).not.toBeNull();
      expect(target.searchParams.has('iss')).toBe(provider === 'partner');
      return target.searchParams.get('error');
    };
    expect(await errorOf(app.url({ response_type: 'token' }))).toBe('unsupported_response_type');
    expect(await errorOf(app.url({ scope: 'everything' }))).toBe('invalid_scope');
    expect(await errorOf(app.url({ code_challenge: 'short' }))).toBe('invalid_request');
    expect(await errorOf(app.url({ code_challenge_method: 'S512' }))).toBe('invalid_request');
    expect(await errorOf(`${app.url()}&state=again`)).toBe('invalid_request');
    if (provider === 'coinbase') expect(await errorOf(app.url({ state: '1234567' }))).toBe('invalid_request');
    if (provider !== 'partner') return;
    expect(await errorOf(app.url({ code_challenge: undefined }))).toBe('invalid_request');
    expect(await errorOf(app.url({ code_challenge_method: 'plain' }))).toBe('invalid_request');
  });

  it('escape the names of applications', async () => {
    const client = { clientId: 'evil', name: '<script>alert(1)</script>', redirectUris: ['https://app.example/back'] };
    await sandbox.control('POST', 'oauth/clients', client);
    const app = new OAuthApp(sandbox, provider);
    const url = app.url({ client_id: 'evil', redirect_uri: 'https://app.example/back' });
    expect(await (await get(url)).text()).not.toContain('<script>');
    expect((await get(app.url({ client_id: 'evil' }))).status).toBe(400);
    const { status } = await sandbox.control('POST', 'oauth/clients', {
      clientId: 'x',
      redirectUris: ['javascript:1'],
    });
    expect(status).toBe(422);
  });
});

describe('consent', () => {
  it('can be given for single scopes where the provider documents it', async () => {
    const parts = async (provider: 'kraken' | 'coinbase' | 'partner', scope: string, ticked: string) => {
      const app = new OAuthApp(sandbox, provider);
      const url = app.url({ scope });
      const consent = await (await press(url, login())).text();
      const page = await (await press(url, [['step', 'allow'], ...hidden(consent), ['scope', ticked]])).text();
      const { body } = await app.exchange(targetOf(page).searchParams.get('code') ?? '');
      return { body, hasBoxes: consent.includes('type="checkbox"') };
    };
    expect(await parts('partner', 'read withdraw identity', 'read')).toMatchObject({
      body: { scope: 'read' },
      hasBoxes: true,
    });
    expect(await parts('coinbase', 'wallet:user:read,offline_access', 'wallet:user:read')).toMatchObject({
      body: { scope: 'wallet:user:read' },
      hasBoxes: true,
    });
    expect((await parts('kraken', 'account.info:basic', 'account.info:basic')).hasBoxes).toBe(false);
  });

  it('to no scope is a refusal', async () => {
    const app = new OAuthApp(sandbox, 'partner');
    const consent = await (await press(app.url(), login())).text();
    const page = await (await press(app.url(), [['step', 'allow'], ...hidden(consent)])).text();
    expect(targetOf(page).searchParams.get('error')).toBe('access_denied');
  });

  it('limits what a token of the partner API can do', async () => {
    const client = await PartnerClient.open(sandbox);
    const app = new OAuthApp(sandbox, 'partner');
    const { accountId } = client.account;
    const { tokens } = await app.connect({ accountId, scopes: ['read'] });
    const granted = client.as(tokens.access_token);
    expect((await granted.call('GET', '/account')).body).toMatchObject({ id: accountId, permissions: ['read'] });
    expect(await granted.errorOf()).toBe('permission_missing');
    expect((await granted.call('GET', '/identity')).status).toBe(403);
    const whole = client.as((await app.connect({ accountId })).tokens.access_token);
    expect((await whole.call('GET', '/identity')).status).toBe(200);
    expect((await whole.withdraw()).status).toBe(201);
    expect((await client.call('GET', '/identity')).status).toBe(200);
  });

  it('can be given only for accounts that can log in at the provider', async () => {
    const { accountId } = await sandbox.open();
    await expect(new OAuthApp(sandbox, 'partner').decide({ accountId })).rejects.toThrow('no account');
    expect((await new OAuthApp(sandbox, 'kraken').decide({ accountId })).accountId).toBe(accountId);
    expect(await (await get(new OAuthApp(sandbox, 'coinbase').url())).text()).toContain(accountId);
    expect(await (await get(new OAuthApp(sandbox, 'partner').url())).text()).not.toContain(accountId);
  });

  it('leaves no secret on the overview page', async () => {
    const { tokens, code } = await new OAuthApp(sandbox, 'partner').connect();
    const shown = await (await fetch(sandbox.url)).text();
    for (const secret of [tokens.access_token, tokens.refresh_token, code, 'causeway-sandbox-secret']) {
      expect(shown).not.toContain(secret);
    }
    const { body } = await sandbox.control('GET', 'oauth/grants');
    expect(JSON.stringify(body)).not.toContain(tokens.refresh_token);
  });
});

describe('redirect addresses', () => {
  it('of the built-in application can be set when the exchange starts', async () => {
    const own = await TestSandbox.start({ oauthRedirectUris: ['https://connect.example.com/back'] });
    try {
      const app = new OAuthApp(own, 'coinbase');
      expect((await get(app.url({ redirect_uri: 'https://connect.example.com/back' }))).status).toBe(200);
      expect((await get(app.url({ redirect_uri: 'https://connect.example.com/back/' }))).status).toBe(400);
      // Documented: "If left out, your application's first redirect URI will be used by default."
      const { redirectTo, code } = await app.decide({}, { redirect_uri: undefined });
      expect(redirectTo).toContain('https://connect.example.com/back?code=');
      expect((await app.exchange(code)).status).toBe(200);
    } finally {
      await own.close();
    }
  });
});
