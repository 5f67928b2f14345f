import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { OAuthApp } from '../../test/oauth.js';
import { TestSandbox } from '../../test/sandbox.js';

interface Begun {
  id: string;
  content: string;
  expires_at: number;
}

let sandbox: TestSandbox;
let app: OAuthApp;
beforeEach(async () => {
  sandbox = await TestSandbox.start();
  app = new OAuthApp(sandbox, 'partner');
});
afterEach(() => sandbox.close());

const call = async (method: string, rest: string, body?: unknown, headers = app.clientHeaders()) => {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(`${sandbox.url}/partner/v1/qr-logins${rest}`, { method, headers, ...sent });
  return {
    status: response.status,
    body: (await response.json()) as Record<string, string> & { error?: { code: string } },
  };
};
const begin = async (scope = 'read identity'): Promise<Begun> => {
  const { id = '', content = '', expires_at } = (await call('POST', '', { client_id: 'causeway', scope })).body;
  return { id, content, expires_at: Number(expires_at) };
};
const read = async ({ id }: Begun) => (await call('GET', `/${id}`)).body;
const press = async (url: string, fields: [string, string][]) =>
  (await fetch(url, { method: 'POST', body: new URLSearchParams(fields) })).text();
const login: [string, string][] = [
  ['account', 'new'],
  ['password', 'sandbox'],
];

describe('a login by QR code', () => {
  it('goes from waiting to scanned to confirmed on the page that the code opens', async () => {
    const begun = await begin();
    expect(begun.expires_at).toBe(sandbox.clock.now.getTime() + 120_000);
    expect(await read(begun)).toEqual({ status: 'waiting' });
    expect(await (await fetch(begun.content)).text()).toContain('Causeway asks for access');
    expect(await read(begun)).toEqual({ status: 'waiting' });
    const consent = await press(begun.content, [['step', 'login'], ...login]);
    expect(consent).toContain('See your name');
    expect(await read(begun)).toEqual({ status: 'scanned' });
    const [, account = ''] = /name="account" value="([^"]*)"/.exec(consent) ?? [];
    const allow: [string, string][] = [
      ['step', 'allow'],
      ['account', account],
      ['password', 'sandbox'],
      ['scope', 'read'],
    ];
    expect(await press(begun.content, allow)).toContain('The other device is logged in');
    const confirmed = await read(begun);
    expect(confirmed).toMatchObject({ status: 'confirmed', token_type: 'Bearer', expires_in: 3_600, scope: 'read' });
    expect(await read(begun)).toEqual(confirmed);
    expect(await app.statusOf(confirmed.access_token ?? '')).toBe(200);
    expect((await app.refresh(confirmed.refresh_token)).status).toBe(200);
  });

  it('can be denied before and after the scan', async () => {
    const [early, late] = [await begin(), await begin()];
    expect(await press(early.content, [['step', 'deny']])).toContain('was not logged in');
    await press(late.content, [['step', 'login'], ...login]);
    await press(late.content, [['step', 'deny']]);
    for (const begun of [early, late]) {
      expect(await read(begun)).toEqual({ status: 'denied' });
      await press(begun.content, [['step', 'allow'], ...login, ['scope', 'read']]);
      expect(await read(begun)).toEqual({ status: 'denied' });
    }
  });

  it('stays waiting after a missing password, and is denied when no scope is allowed', async () => {
    const begun = await begin();
    expect(
      await press(begun.content, [
        ['step', 'allow'],
        ['account', 'new'],
        ['scope', 'read'],
      ]),
    ).toContain('is wrong');
    expect(await read(begun)).toEqual({ status: 'waiting' });
    await press(begun.content, [['step', 'allow'], ...login]);
    expect(await read(begun)).toEqual({ status: 'denied' });
  });

  it('expires after two minutes, and cannot be confirmed afterwards', async () => {
    const begun = await begin();
    sandbox.advance(120_000);
    expect(await read(begun)).toEqual({ status: 'expired' });
    expect(await press(begun.content, [['step', 'allow'], ...login, ['scope', 'read']])).toContain('has expired');
    expect(await read(begun)).toEqual({ status: 'expired' });
    const response = await fetch(`${begun.content}x`);
    expect(response.status).toBe(404);
  });

  it('can be read only by its client, and can request only known scopes', async () => {
    const begun = await begin();
    await sandbox.control('POST', 'oauth/clients', { clientId: 'other', secret: 's' });
    const other = { authorization: `Basic ${Buffer.from('other:s').toString('base64')}` };
    expect(await call('GET', `/${begun.id}`, undefined, other)).toMatchObject({ status: 404 });
    expect(await call('GET', '/unknown')).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    const wrong = app.clientHeaders('wrong');
    expect(await call('GET', `/${begun.id}`, undefined, wrong)).toMatchObject({ status: 401 });
    const errorOf = async (body: unknown) => (await call('POST', '', body)).body.error?.code;
    expect(await errorOf({ client_id: 'causeway', scope: 'everything' })).toBe('invalid_request');
    expect(await errorOf({ client_id: 'other', scope: 'read' })).toBe('invalid_request');
    await sandbox.arm('partner.qr.begin', 'service_unavailable');
    expect(await errorOf({ client_id: 'causeway', scope: 'read' })).toBe('unavailable');
  });

  it('gets a status from the control API, which finds it by the content of its QR code or by its id', async () => {
    const begun = await begin();
    const move = (status: string, more = {}) =>
      sandbox.control('POST', 'qr-logins', { content: begun.content, status, ...more });
    expect((await move('scanned')).status).toBe(200);
    expect((await read(begun)).status).toBe('scanned');
    const { body } = await move('confirmed', { scopes: ['identity'] });
    expect(await read(begun)).toMatchObject({ status: 'confirmed', scope: 'identity' });
    const { grantId } = body as { grantId: string };
    await sandbox.control('POST', `oauth/grants/${grantId}/revoke`);
    expect(await app.statusOf((await read(begun)).access_token ?? '')).toBe(401);
    expect((await move('denied')).status).toBe(409);
    expect((await sandbox.control('POST', 'qr-logins', { id: 'none', status: 'denied' })).status).toBe(404);
    const other = await begin();
    await sandbox.control('POST', 'qr-logins', { id: other.id, status: 'expired' });
    expect(await read(other)).toEqual({ status: 'expired' });
  });

  it('survives a restart', async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'sandbox-qr-'));
    const ledgerFile = path.join(directory, 'ledger.jsonl');
    await sandbox.close();
    sandbox = await TestSandbox.start({ ledgerFile });
    app = new OAuthApp(sandbox, 'partner');
    const [scanned, confirmed] = [await begin(), await begin()];
    await press(scanned.content, [['step', 'login'], ...login]);
    await sandbox.control('POST', 'qr-logins', { id: confirmed.id, status: 'confirmed' });
    const before = await read(confirmed);
    await sandbox.close();
    sandbox = await TestSandbox.start({ ledgerFile });
    app = new OAuthApp(sandbox, 'partner');
    expect(await read(scanned)).toEqual({ status: 'scanned' });
    expect(await read(confirmed)).toEqual(before);
    expect(await app.statusOf(before.access_token ?? '')).toBe(200);
    rmSync(directory, { recursive: true });
  });
});
