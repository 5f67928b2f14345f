import { askForLink, ExchangePerson, newIdem, outcomeOf, PageBrowser, type Page } from '../support/page-browser.js';
import { TestApp, type TestProjectWithClient } from '../support/test-app.js';

const PUBLIC = 'https://connect.example';
const BASE = `${PUBLIC}/base`;

/** The API behind a proxy that terminates TLS and strips the path of PUBLIC_URL. */
describe('connecting over https', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let person: ExchangePerson;

  beforeAll(async () => {
    app = await TestApp.create({
      env: { PUBLIC_URL: `${BASE}/`, CONNECT_VISITS_PER_MINUTE: '100000' },
      redirectUris: [`${BASE}/v0/oauth2/sandbox/callback`],
    });
    project = await app.project();
    person = new ExchangePerson(app.sandbox.url);
  });
  afterAll(() => app.close());

  const behindProxy = (url: string) => url.replace(BASE, app.url);
  const linkOf = async (walletId: string) => {
    const link = await askForLink(project, { walletId });
    return { ...link, shown: link.url, url: behindProxy(link.url) };
  };
  const cookieOf = ({ headers }: Page) => headers.get('set-cookie');
  const COOKIE =
    /^__Host-causeway_connect_[0-9a-f]{16}=[A-Za-z0-9_-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax; Secure$/;

  it('links use the public address, and the cookie is limited to this host and to https', async () => {
    const { shown, url } = await linkOf('w');
    expect(shown).toMatch(/^https:\/\/connect\.example\/base\/connect\/[A-Za-z0-9_-]{43}$/);
    const page = await new PageBrowser().post(`${url}/qr`);
    expect(page.location).toBe(new URL(shown).pathname);
    expect(cookieOf(page)).toMatch(COOKIE);
  });

  it('a cookie without the __Host- prefix is not accepted', async () => {
    const { url } = await linkOf('w');
    const browser = new PageBrowser();
    await browser.post(`${url}/qr`);
    const [[name, value] = ['', '']] = [...browser.cookies];
    const unprefixed = new PageBrowser();
    unprefixed.cookies.set(name.replace('__Host-', ''), value);
    expect((await unprefixed.get(url)).status).toBe(403);
    expect((await browser.get(url)).status).toBe(200);
  });

  it.each([
    [{ origin: PUBLIC }, 303],
    [{ origin: 'http://connect.example' }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
  ])('a form is accepted only from the page’s own origin: %j', async (headers, status) => {
    const { url } = await linkOf('w');
    const answer = await fetch(`${url}/qr`, {
      method: 'POST',
      redirect: 'manual',
      headers: { accept: 'text/html', ...headers },
    });
    expect(answer.status).toBe(status);
  });

  it('the exchange redirects to the public address, and the callback redirects to the hosted page', async () => {
    const link = await linkOf('there-and-back');
    const browser = new PageBrowser();
    await browser.get(link.url);
    const { redirectTo } = await person.decide(await browser.leave(link.url));
    expect(redirectTo.startsWith(`${BASE}/v0/oauth2/sandbox/callback?`)).toBe(true);
    const back = await browser.get(behindProxy(redirectTo));
    expect([back.status, back.location]).toEqual([303, link.shown]);
    expect((await outcomeOf(app, project, link)).status).toBe('success');
  });

  it('reading a page sets a cookie and does not bind the session to the browser', async () => {
    const { url } = await linkOf('w');
    for (const path of ['', '/methods', '/key']) {
      const preview = new PageBrowser();
      expect(cookieOf(await preview.get(`${url}${path}`))).toMatch(COOKIE);
      expect(cookieOf(await preview.get(`${url}${path}`))).toBeNull();
    }
    expect((await new PageBrowser().post(`${url}/qr`)).status).toBe(303);
  });

  it('a browser can send its form again when the response to the form was lost', async () => {
    const { url } = await linkOf('w');
    const browser = new PageBrowser();
    await browser.get(url);
    const before = new Map(browser.cookies);
    const lost = new PageBrowser();
    for (const [name, value] of before) lost.cookies.set(name, value);
    expect((await lost.post(`${url}/oauth`)).status).toBe(200);
    // The browser sends its form again, because it has not received the response to the first one.
    const again = await browser.post(`${url}/oauth`);
    expect([again.status, cookieOf(again)]).toEqual([200, null]);
    expect((await new PageBrowser().post(`${url}/oauth`)).status).toBe(403);
  });

  it('a malformed cookie value is replaced', async () => {
    const { url } = await linkOf('w');
    const browser = new PageBrowser();
    await browser.get(url);
    for (const name of browser.cookies.keys()) browser.cookies.set(name, 'short');
    await browser.post(`${url}/oauth`);
    expect([...browser.cookies.values()]).not.toContain('short');
  });

  it('an expired link that was never opened sets no cookie', async () => {
    const { url } = await linkOf(newIdem());
    app.clock.advance(900_001);
    expect(cookieOf(await new PageBrowser().get(url))).toBeNull();
  });
});
