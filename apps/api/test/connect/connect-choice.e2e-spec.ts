import { randomUUID } from 'node:crypto';
import { askForLink, ExchangePerson, newIdem, outcomeOf, PageBrowser, type Link } from '../support/page-browser.js';
import { TestApp, type TestProjectWithClient } from '../support/test-app.js';

interface Refusal {
  type?: string;
  error?: string;
}

describe('a link without an exchange', () => {
  let app: TestApp;
  let person: ExchangePerson;
  let project: TestProjectWithClient;
  beforeAll(async () => {
    app = await TestApp.create({ env: { ADMIN_TOKEN: 'a'.repeat(40), CONNECT_COUNTRIES_EXCLUDED: 'okx:US' } });
    person = new ExchangePerson(app.sandbox.url);
    project = await app.project();
  });
  afterAll(() => app.close());

  const ask = (query: Record<string, string> = {}, who = project, walletId = newIdem()) =>
    who.http.get<Link & Refusal>('/v0/oauth2/url', {
      headers: { 'x-svc-wallet-id': walletId },
      query: { idem: newIdem(), country: 'DE', ...query },
    });
  const offered = (text: string): string[] =>
    [...text.matchAll(/name="exchange" value="(\w+)"/g)].map(([, id]) => id ?? '');
  const listOf = async (url: string, browser = new PageBrowser()): Promise<string[]> =>
    offered((await browser.get(url)).text);
  const set = (who: TestProjectWithClient, settings: object) =>
    app.http.put(`/v0/admin/projects/${who.projectId}/connect`, {
      headers: { authorization: `Bearer ${'a'.repeat(40)}` },
      body: { browserConnects: false, origins: [], returnUrls: [], ...settings },
    });

  it('lets the person choose an exchange, and connects an account there', async () => {
    const { status, body: link } = await ask();
    expect([status, link.isQRCode]).toEqual([200, false]);
    const browser = new PageBrowser();
    expect(await listOf(link.url, browser)).toEqual(expect.arrayContaining(['kraken', 'okx', 'sandbox']));
    expect((await browser.post(`${link.url}/exchange`, { exchange: 'sandbox' })).location).toBe(
      new URL(link.url).pathname,
    );
    expect((await browser.get(link.url)).text).toContain('Connect your Sandbox account');
    const { redirectTo } = await person.decide(await browser.leave(link.url));
    await browser.get(redirectTo);
    const { status: outcome, body } = await outcomeOf(app, project, link);
    expect([outcome, body]).toEqual(['success', expect.objectContaining({ exchange: 'sandbox', success: true })]);
  });

  it('lets the person choose another exchange, and is returned unchanged when its request is repeated', async () => {
    const { body: link } = await ask({}, project, 'undecided');
    const browser = new PageBrowser();
    await browser.post(`${link.url}/exchange`, { exchange: 'okx' });
    expect((await browser.get(link.url)).text).toContain('Choose another exchange');
    expect(await listOf(`${link.url}/exchange`, browser)).toContain('kraken');
    await browser.post(`${link.url}/exchange`, { exchange: 'kraken' });
    expect((await browser.get(link.url)).text).toContain('Connect your Kraken account');
    // An equal request gets the same link after a choice. The idem stays taken for a request with another wallet id.
    const repeated = await ask({ idem: link.idem }, project, 'undecided');
    expect([repeated.status, repeated.body]).toEqual([200, link]);
    expect((await ask({ idem: link.idem }, project, 'other')).status).toBe(409);
  });

  it('shows the refusal of a key only on the page of the exchange that has refused the key', async () => {
    const { body: link } = await ask();
    const browser = new PageBrowser();
    const refused = 'does not accept this value';
    await browser.post(`${link.url}/exchange`, { exchange: 'okx' });
    const key = { apiKey: randomUUID(), apiSecret: 'A'.repeat(32), apiPassphrase: 'wrong', apiRegion: 'global' };
    expect((await browser.post(`${link.url}/key`, key)).text).toContain(refused);
    await browser.post(`${link.url}/exchange`, { exchange: 'okx' });
    expect((await browser.get(`${link.url}/key`)).text).toContain(refused);
    await browser.post(`${link.url}/exchange`, { exchange: 'binance' });
    const { text } = await browser.get(`${link.url}/key`);
    expect(text).toContain('Connect Binance with an API key');
    expect(text).not.toContain(refused);
  });

  it('lists only exchanges that offer the requested access and method in the country, and ignores a choice of any other exchange', async () => {
    const { body: link } = await ask({ access: 'trade', country: 'US', way: 'key' });
    const browser = new PageBrowser();
    const list = await listOf(link.url, browser);
    expect(list).toContain('kraken');
    expect(list).not.toContain('okx');
    expect(list).not.toContain('sandbox');
    for (const exchange of ['okx', 'sandbox', 'nowhere', '']) {
      expect((await browser.post(`${link.url}/exchange`, { exchange })).status).toBe(303);
      expect(offered((await browser.get(link.url)).text)).toEqual(list);
    }
    const none = await ask({ access: 'trade', way: 'qr' });
    expect([none.status, none.body.type]).toEqual([400, 'GENERIC_INVALID_REQUEST']);
    expect((await ask({ country: 'ZZ' })).body.type).toBe('OAUTH_COUNTRY_CODE_INVALID');
  });

  it('lists only the exchanges that the project allows; links to other exchanges are refused', async () => {
    const own = await app.project();
    await set(own, { exchanges: ['kraken', 'okx'] });
    expect(await listOf((await ask({}, own)).body.url)).toEqual(['kraken', 'okx']);
    await expect(askForLink(own)).rejects.toThrow('does not allow accounts of this exchange');
    expect((await set(own, { exchanges: ['nowhere'] })).status).toBe(400);
  });

  it('lists only the exchange of the wallet when the wallet is already connected', async () => {
    const browser = new PageBrowser();
    const link = await askForLink(project, { walletId: 'connected-before' });
    await browser.get((await person.decide(await browser.leave(link.url))).redirectTo);
    const { body } = await ask({}, project, 'connected-before');
    expect(await listOf(body.url)).toEqual(['sandbox']);
  });

  it('can be cancelled before an exchange is chosen; the message about the failure then names no exchange', async () => {
    const { body: link } = await ask();
    const browser = new PageBrowser();
    await browser.post(`${link.url}/cancel`);
    expect((await browser.get(link.url)).text).toContain('You have cancelled.');
    const { body } = await outcomeOf(app, project, link);
    expect(body).toMatchObject({ type: 'oauth2', success: false, result: { reason: 'cancelled' } });
    expect(body).not.toHaveProperty('exchange');
  });

  it('shows the list of exchanges when a form is sent before an exchange is chosen', async () => {
    const { body: link } = await ask();
    const browser = new PageBrowser();
    for (const form of ['oauth', 'qr', 'key']) {
      const fields: Record<string, string> = form === 'key' ? { apiKey: 'k', apiSecret: 's' } : {};
      expect((await browser.post(`${link.url}/${form}`, fields)).status).toBe(303);
    }
    expect(offered((await browser.get(`${link.url}/key`)).text)).toContain('kraken');
  });
});

describe('the hosted page', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  beforeAll(async () => {
    app = await TestApp.create({ env: { ADMIN_TOKEN: 'a'.repeat(40) } });
    project = await app.project();
  });
  afterAll(() => app.close());

  it('is in the language of the browser', async () => {
    const { url } = await askForLink(project, { exchange: 'kraken' });
    const german = await new PageBrowser().get(url, { 'accept-language': 'de-DE,de;q=0.9,en;q=0.5' });
    expect(german.text).toContain('<html lang="de">');
    expect(german.text).toContain('Ihr Konto bei Kraken verbinden');
    expect((await new PageBrowser().get(url)).text).toContain('<html lang="en">');
    const lost = await new PageBrowser().get(`${app.url}/connect/nowhere`, { 'accept-language': 'de' });
    expect(lost.text).toContain('Dieser Link führt nirgendwohin');
  });

  it('has the name, the colour and the logo that the project has set', async () => {
    const own = await app.project();
    const logoUrl = 'https://cdn.shop.example/logo.png';
    await app.http.put(`/v0/admin/projects/${own.projectId}/connect`, {
      headers: { authorization: `Bearer ${'a'.repeat(40)}` },
      body: {
        browserConnects: false,
        origins: [],
        returnUrls: [],
        displayName: 'Corner Shop',
        color: '#0a7c66',
        logoUrl,
      },
    });
    const { url } = await askForLink(own);
    const page = await new PageBrowser().get(url);
    expect(page.text).toContain('What Corner Shop asks for');
    expect(page.text).toContain(`src="${logoUrl}"`);
    expect(page.headers.get('content-security-policy')).toContain("img-src 'self' https://cdn.shop.example");
    const [, theme = ''] = /href="(\/connect\/assets\/theme\/0a7c66\.css)"/.exec(page.text) ?? [];
    const sheet = await new PageBrowser().get(`${app.url}${theme}`);
    expect([sheet.status, sheet.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
    expect((await new PageBrowser().get(`${app.url}/connect/assets/theme/red.css`)).status).toBe(404);
  });

  it('offers to continue on a phone, unless the browser already is on a phone', async () => {
    const { url } = await askForLink(project);
    expect((await new PageBrowser().get(url)).text).toContain('Continue on your phone');
    const phone = await new PageBrowser().get(url, {
      'user-agent': 'Mozilla/5.0 (Linux; Android 15) Mobile Safari/537.36',
    });
    expect(phone.text).not.toContain('Continue on your phone');
  });

  it('keeps the typed values except the secret, and marks the wrong field, after the exchange has refused a key', async () => {
    const account = await app.sandbox.open({ permissions: ['query-funds'] });
    const { url } = await askForLink(project, { exchange: 'kraken' });
    const apiSecret = Buffer.from('another secret').toString('base64');
    const page = await new PageBrowser().post(`${url}/key`, { apiKey: account.apiKey, apiSecret });
    expect(page.status).toBe(400);
    expect(page.text).toContain(`value="${account.apiKey}"`);
    expect(page.text).not.toContain(apiSecret);
    expect(page.text).toContain('Kraken does not accept this value');
    expect(page.text).toMatch(/id="apiSecret"[^>]*aria-invalid="true"/);
    expect(page.text).not.toMatch(/id="apiKey"[^>]*aria-invalid="true"/);
  });

  it('shows that the account is being connected while the exchange is slow', async () => {
    const person = new ExchangePerson(app.sandbox.url);
    const link = await askForLink(project);
    const browser = new PageBrowser();
    const { redirectTo } = await person.decide(await browser.leave(link.url));
    await app.sandbox.arm({ endpoint: 'partner.account', fault: 'hang_before', count: null });
    const back = await browser.get(redirectTo);
    expect(back.status).toBe(303);
    expect((await browser.get(link.url)).text).toContain('Just a moment');
    await app.sandbox.calm();
  });
});
