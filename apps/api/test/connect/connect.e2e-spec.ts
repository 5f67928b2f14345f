import { Vault, type SealedRecord } from '#platform/crypto';
import { refusalOf } from '../support/causeway-client.js';
import { askForLink, ExchangePerson, outcomeOf, PageBrowser } from '../support/page-browser.js';
import { TestApp, type TestProjectWithClient } from '../support/test-app.js';

describe('connecting by the owner of an account', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let person: ExchangePerson;

  beforeAll(async () => {
    app = await TestApp.create({ env: { CONNECT_VISITS_PER_MINUTE: '100000', CONNECT_KEYLESS_PER_MINUTE: '100000' } });
    project = await app.project();
    person = new ExchangePerson(app.sandbox.url);
  });
  afterAll(() => app.close());

  const stateOf = async (idem: string): Promise<Record<string, unknown>> => {
    const [row] = await app.db.query<Record<string, unknown>>(
      `select state, method, attempts, sealed, state_hash, lease_until from connect_sessions where idem = $1`,
      [idem],
    );
    if (row === undefined) throw new Error('no such session');
    return row;
  };

  describe('the list of exchanges', () => {
    it('is public', async () => {
      const { status, body, headers } = await app.http.get('/v0/oauth2/exchanges');
      expect(status).toBe(200);
      expect(body).toMatchObject({ success: true });
      expect(body.exchanges).toContainEqual({
        id: 'kraken',
        name: 'Kraken',
        logoUrl: `${app.url}/connect/assets/logo/kraken.svg`,
        status: 'live',
      });
      expect(headers['access-control-allow-origin']).toBe('*');
    });
  });

  describe('at the exchange’s own page', () => {
    it('creates a wallet with its grant and identity, and publishes the success', async () => {
      const link = await askForLink(project, { walletId: 'by-oauth', access: 'withdrawal' });
      expect(link).toMatchObject({ success: true, isQRCode: false });
      expect(link.url).toMatch(new RegExp(`^${app.url}/connect/[A-Za-z0-9_-]{43}$`));
      const browser = new PageBrowser();
      expect((await browser.get(link.url)).status).toBe(200);
      const away = await browser.leave(link.url);
      expect(new URL(away).searchParams.get('redirect_uri')).toBe(`${app.url}/v0/oauth2/sandbox/callback`);
      expect((await stateOf(link.idem)).state).toBe('authorizing');

      const { redirectTo } = await person.decide(away);
      const back = await browser.get(redirectTo);
      expect([back.status, back.location]).toEqual([303, link.url]);
      expect(await stateOf(link.idem)).toMatchObject({ state: 'connected', sealed: null, state_hash: null });
      expect(await outcomeOf(app, project, link)).toEqual({
        status: 'success',
        body: { type: 'oauth2', way: 'oauth2', success: true, walletId: 'by-oauth', exchange: 'sandbox' },
      });
      expect(await project.causeway.getWallet({ walletId: 'by-oauth' })).toMatchObject({ id: 'by-oauth' });
      const rows = await app.db.query(
        `select from wallets w join wallet_grants g on g.wallet_id = w.id join wallet_identities i on i.wallet_id = w.id
          where w.external_id = 'by-oauth'`,
      );
      expect(rows).toHaveLength(1);
      expect(await project.causeway.getWithdrawalBalance({ walletId: 'by-oauth' })).toHaveProperty('balances');
    });

    it('connects a wallet at Kraken', async () => {
      const link = await askForLink(project, { walletId: 'by-fast-key', exchange: 'kraken', access: 'read' });
      const browser = new PageBrowser();
      const { redirectTo } = await person.decide(await browser.leave(link.url));
      expect((await browser.get(redirectTo)).location).toBe(link.url);
      expect((await outcomeOf(app, project, link)).status).toBe('success');
    });

    it('can be denied, and repeated in the same session', async () => {
      const link = await askForLink(project, { walletId: 'denied-first' });
      const browser = new PageBrowser();
      const denied = await person.decide(await browser.leave(link.url), { decision: 'deny' });
      const answer = await browser.get(denied.redirectTo, { accept: 'application/json' });
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.text)).toMatchObject({ type: 'OAUTH_AUTHORIZATION_FAILED' });
      expect(await stateOf(link.idem)).toMatchObject({ state: 'opened', attempts: 1 });
      expect(await outcomeOf(app, project, link)).toMatchObject({
        status: 'pending',
        body: { success: false, code: 'OAUTH_AUTHORIZATION_FAILED' },
      });
      const { idem } = link;
      expect(await project.causeway.getOutcome({ idem, orgId: project.organizationId })).toEqual({
        idem,
        status: 'pending',
        success: null,
        type: 'oauth2',
        code: 'OAUTH_AUTHORIZATION_FAILED',
      });
      const { redirectTo } = await person.decide(await browser.leave(link.url));
      await browser.get(redirectTo);
      expect((await outcomeOf(app, project, link)).status).toBe('success');
    });

    it('reports that the exchange granted less than was requested', async () => {
      const link = await askForLink(project, { walletId: 'too-little', access: 'withdrawal' });
      const browser = new PageBrowser();
      const { redirectTo } = await person.decide(await browser.leave(link.url), { scopes: ['read', 'identity'] });
      const answer = await browser.get(redirectTo, { accept: 'application/json' });
      expect([answer.status, JSON.parse(answer.text)]).toMatchObject([403, { type: 'OAUTH_INSUFFICIENT_SCOPE' }]);
    });

    it('reports that the exchange did not accept the authorization code', async () => {
      const link = await askForLink(project, { walletId: 'no-tokens' });
      const browser = new PageBrowser();
      const { redirectTo } = await person.decide(await browser.leave(link.url));
      const forged = new URL(redirectTo);
      forged.searchParams.set('code', 'another-code');
      const answer = await browser.get(forged.href, { accept: 'application/json' });
      expect([answer.status, JSON.parse(answer.text)]).toMatchObject([502, { type: 'OAUTH_TOKEN_EXCHANGE_FAILED' }]);
    });
  });

  describe('a second time', () => {
    it('keeps the id of a wallet whose grant was revoked, and refuses another exchange', async () => {
      const idOf = async () =>
        (await app.db.query<{ id: string }>(`select id from wallets where external_id = 'again'`)).map(({ id }) => id);
      const connect = async () => {
        const link = await askForLink(project, { walletId: 'again' });
        const browser = new PageBrowser();
        const allowed = await person.decide(await browser.leave(link.url));
        await browser.get(allowed.redirectTo);
        expect((await outcomeOf(app, project, link)).status).toBe('success');
        return allowed.grantId ?? '';
      };
      const grant = await connect();
      const before = await idOf();
      await person.revoke(grant);
      await connect();
      expect(await idOf()).toEqual(before);

      const other = await refusalOf(askForLink(project, { walletId: 'again', exchange: 'kraken' }));
      expect([other.status, other.code]).toEqual([400, 'GENERIC_INVALID_REQUEST']);
    });
  });

  describe('with an API key', () => {
    const press = async (link: string, browser: PageBrowser, form: Record<string, string>) =>
      await browser.post(`${link}/key`, form);

    it('succeeds at once when the key has the requested permissions', async () => {
      const { apiKey, apiSecret } = await app.sandbox.open({ permissions: ['query-funds', 'withdraw-funds'] });
      const link = await askForLink(project, { walletId: 'by-key', exchange: 'kraken', access: 'withdrawal' });
      await press(link.url, new PageBrowser(), { apiKey, apiSecret });
      expect(await outcomeOf(app, project, link)).toEqual({
        status: 'success',
        body: { type: 'oauth2', way: 'api_key', success: true, walletId: 'by-key', exchange: 'kraken' },
      });
    });

    it('waits for a confirmation when the key can do more than was requested, and keeps the key sealed', async () => {
      const { apiKey, apiSecret } = await app.sandbox.open({ permissions: ['query-funds', 'withdraw-funds'] });
      const link = await askForLink(project, { walletId: 'too-much', exchange: 'kraken', access: 'read' });
      const browser = new PageBrowser();
      await press(link.url, browser, { apiKey, apiSecret });
      const { state, sealed } = await stateOf(link.idem);
      expect(state).toBe('confirming');
      expect(JSON.stringify(sealed)).not.toContain(apiSecret);
      expect((await refusalOf(project.causeway.getWallet({ walletId: 'too-much' }))).status).toBe(404);
      const page = await browser.get(link.url);
      expect(page.text).not.toContain(apiSecret);
      expect(page.text).not.toContain(apiKey);

      await browser.post(`${link.url}/key/discard`);
      expect(await stateOf(link.idem)).toMatchObject({ state: 'opened', sealed: null });
      await press(link.url, browser, { apiKey, apiSecret });
      await browser.post(`${link.url}/key/confirm`);
      expect((await outcomeOf(app, project, link)).status).toBe('success');
    });

    it('shows the errors of a malformed key in the form, counts no attempt, and does not call the exchange', async () => {
      const link = await askForLink(project, { walletId: 'malformed', exchange: 'kraken', access: 'read' });
      const browser = new PageBrowser();
      const page = await press(link.url, browser, { apiKey: 'canary\u200b', apiSecret: 'no base64' });
      expect(page.status).toBe(400);
      for (const field of ['apiKey', 'apiSecret']) expect(page.text).toContain(`id="${field}-error"`);
      expect(page.text).not.toContain('canary');
      expect(await stateOf(link.idem)).toMatchObject({ state: 'opened', attempts: 0 });
      expect(await outcomeOf(app, project, link)).toEqual({ status: 'pending', body: undefined });
    });

    it('counts each wrong key as an attempt, and fails after the last attempt', async () => {
      const link = await askForLink(project, { walletId: 'wrong', exchange: 'kraken', access: 'read' });
      const browser = new PageBrowser();
      for (let attempt = 1; attempt <= 10; attempt++) {
        await press(link.url, browser, { apiKey: 'wrong', apiSecret: 'd3Jvbmc=' });
        expect((await stateOf(link.idem)).attempts).toBe(attempt);
      }
      expect(await outcomeOf(app, project, link)).toMatchObject({
        status: 'failed',
        body: {
          type: 'oauth2',
          way: 'api_key',
          success: false,
          error: expect.stringContaining('credentials') as string,
          code: 'WALLET_INVALID_CREDENTIALS',
        },
      });
    });
  });

  describe('by the app of the exchange', () => {
    it('reports that the QR code is available, that it was scanned, and that the account is connected', async () => {
      const link = await askForLink(project, { walletId: 'by-qr', way: 'qr' });
      expect(link.isQRCode).toBe(true);
      const browser = new PageBrowser();
      await browser.post(`${link.url}/qr`);
      expect(await outcomeOf(app, project, link)).toMatchObject({
        status: 'pending',
        body: {
          type: 'qr_code_auth',
          way: 'qr_code',
          qrCodeUrl: await qrContentOf(app, link.idem),
          qrCodeStatus: 'available',
          qrCodeExpiresAt: expect.any(Number) as number,
        },
      });
      const content = await qrContentOf(app, link.idem);
      await person.moveQr(content, 'scanned');
      app.clock.advance(2_000);
      const look = await browser.get(`${link.url}/state`, { accept: 'application/json' });
      expect(JSON.parse(look.text)).toMatchObject({ state: 'scanning', qrStatus: 'scanned' });
      await person.moveQr(content, 'confirmed');
      app.clock.advance(2_000);
      await browser.get(link.url);
      expect(await outcomeOf(app, project, link)).toEqual({
        status: 'success',
        body: { type: 'qr_code_auth', way: 'qr_code', success: true, walletId: 'by-qr', exchange: 'sandbox' },
      });
    });

    it('can begin again after the person has denied the access', async () => {
      const link = await askForLink(project, { walletId: 'qr-denied', way: 'qr' });
      const browser = new PageBrowser();
      await browser.post(`${link.url}/qr`);
      await person.moveQr(await qrContentOf(app, link.idem), 'denied');
      app.clock.advance(2_000);
      await browser.get(link.url);
      expect(await outcomeOf(app, project, link)).toMatchObject({
        status: 'pending',
        body: { success: false, code: 'OAUTH_AUTHORIZATION_FAILED' },
      });
      await browser.post(`${link.url}/qr`);
      expect((await stateOf(link.idem)).state).toBe('scanning');
    });

    it('reports OAUTH_QR_CODE_UNAVAILABLE when the exchange issues no QR code', async () => {
      const link = await askForLink(project, { walletId: 'no-qr', way: 'qr' });
      await app.sandbox.arm({ endpoint: 'partner.qr.begin', fault: 'service_unavailable', count: 1 });
      await new PageBrowser().post(`${link.url}/qr`);
      expect((await outcomeOf(app, project, link)).body).toMatchObject({
        success: false,
        code: 'OAUTH_QR_CODE_UNAVAILABLE',
      });
    });

    it('returns an error as JSON or redirects to the hosted page, depending on the Accept header', async () => {
      const link = await askForLink(project, { walletId: 'no-qr-told', way: 'qr' });
      const browser = new PageBrowser();
      await app.sandbox.arm({ endpoint: 'partner.qr.begin', fault: 'service_unavailable', count: 2 });
      const told = await browser.post(`${link.url}/qr`, {}, { accept: 'application/json' });
      expect([told.status, JSON.parse(told.text)]).toMatchObject([503, { type: 'OAUTH_QR_CODE_UNAVAILABLE' }]);
      const shown = await browser.post(`${link.url}/qr`);
      expect([shown.status, shown.location]).toEqual([303, new URL(link.url).pathname]);
    });
  });
});

/** Returns the content of the QR code on the page. */
async function qrContentOf(app: TestApp, idem: string): Promise<string> {
  const [row] = await app.db.query<{ id: string; sealed: SealedRecord; organizationId: string; projectId: string }>(
    `select id, sealed, organization_id as "organizationId", project_id as "projectId"
       from connect_sessions where idem = $1`,
    [idem],
  );
  if (row === undefined) throw new Error('no such session');
  const { id, sealed, organizationId, projectId } = row;
  const text = await app.api.get(Vault).open(sealed, { organizationId, projectId, walletId: id, field: 'connect' });
  return (JSON.parse(text) as { content: string }).content;
}
