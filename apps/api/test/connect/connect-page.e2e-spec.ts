import { askForLink, PageBrowser } from '../support/page-browser.js';
import { TestApp, type TestProjectWithClient } from '../support/test-app.js';

describe('the hosted page behind a proxy that terminates TLS', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  beforeAll(async () => {
    app = await TestApp.create({
      env: {
        PUBLIC_URL: 'HTTPS://Connect.example:443/',
        TRUST_PROXY: 'true',
        CONNECT_VISITS_PER_MINUTE: '4',
      },
      overrides: { CONNECT_POLLS_PER_MINUTE: 3 },
    });
    project = await app.project();
  });
  afterAll(() => app.close());

  /** Returns the address of the page on the API itself, without the proxy. */
  const inside = (url: string): string => url.replace('https://connect.example', app.url);

  it('has a normalized public address, and sets a cookie that is limited to this host and to https', async () => {
    const { url } = await askForLink(project);
    expect(url).toMatch(/^https:\/\/connect\.example\/connect\/[\w-]+$/);
    const browser = new PageBrowser({ 'x-forwarded-for': '192.0.2.1' });
    const page = await browser.post(`${inside(url)}/oauth`);
    expect(page.headers.get('set-cookie')).toMatch(
      /^__Host-causeway_connect_[0-9a-f]{16}=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
  });

  it('limits polls separately, and does not count polls as page views of the network address', async () => {
    const { url } = await askForLink(project);
    const browser = new PageBrowser({ 'x-forwarded-for': '192.0.2.2' });
    const looks: number[] = [];
    for (let count = 0; count < 4; count++) looks.push((await browser.get(`${inside(url)}/state`)).status);
    expect(looks).toEqual([200, 200, 200, 429]);
    const visits = [
      await browser.get(inside(url)),
      await browser.get(`${app.url}/v0/oauth2/sandbox/callback?state=no`),
    ];
    expect(visits.map(({ status }) => status)).toEqual([200, 400]);
    expect(visits.map(({ headers }) => headers.get('referrer-policy'))).toEqual(['same-origin', 'no-referrer']);
  });
});
