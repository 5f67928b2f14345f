import { BrowserHarness, faultsOf } from './browser-harness.js';
import { allow, press, seen } from './steps.js';

describe('the connect page between its steps', () => {
  let harness: BrowserHarness;
  beforeAll(async () => {
    harness = await BrowserHarness.start();
  });
  afterEach(() => harness.leave());
  afterAll(() => harness.close());

  const isAuthorize = (url: URL): boolean => url.pathname.endsWith('/oauth/authorize');

  it('names the exchange to which it redirects, with a link for browsers that do not follow the redirect', async () => {
    const page = await harness.openPage();
    await page.goto((await harness.begin()).url);
    // A response with status 204 leaves the browser on the current page.
    await page.route(isAuthorize, (route) => route.fulfill({ status: 204 }));
    await press(page, 'Sign in at Kraken');
    await seen(page, 'Taking you to Kraken');
    expect(await faultsOf(page, 'leaving')).toEqual([]);
    await page.unroute(isAuthorize);
    await page.getByRole('link', { name: 'Go on to Kraken' }).click();
    await allow(page);
    await seen(page, 'Your Kraken account is connected');
  });

  it('waits while another process connects the account, and then continues by itself', async () => {
    const attempt = await harness.begin();
    const page = await harness.openPage();
    await page.goto(attempt.url);
    await press(page, 'Sign in at Kraken');
    await seen(page, /Log in/);
    const setState = (state: string, more: string): Promise<void> =>
      harness.app.asOwner(
        `update connect_sessions set state = '${state}', state_hash = null, sealed = null, ${more} where idem = '${attempt.idem}'`,
      );
    await setState('connecting', `lease_until = now() + interval '1 hour'`);
    await page.goto(attempt.url);
    await seen(page, 'Just a moment');
    expect(await faultsOf(page, 'connecting')).toEqual([]);
    await setState('opened', 'lease_until = null');
    await seen(page, 'Connect your Kraken account');
  });

  it('opens at the URLs to which its forms are sent, too, and sends security headers even with errors', async () => {
    const attempt = await harness.begin();
    const page = await harness.openPage();
    const answers = [
      await page.goto(attempt.url),
      await page.goto(`${attempt.url}/oauth`),
      await page.goto(`${attempt.url}/key`),
      await page.goto(`${harness.app.url}/connect/unknown`),
      await page.goto(`${harness.app.url}/v0/oauth2/kraken/callback?state=none`),
    ];
    for (const answer of answers) {
      expect(await answer?.allHeaders()).toMatchObject({
        'content-security-policy': expect.stringMatching(
          /^default-src 'none';.* form-action 'self'; frame-ancestors 'none'; base-uri 'none'; img-src 'self'$/,
        ),
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'referrer-policy': expect.stringMatching(/^(same-origin|no-referrer)$/),
        'cross-origin-opener-policy': 'unsafe-none',
        'cache-control': 'no-store',
        'permissions-policy': expect.stringContaining('camera=()'),
      });
    }
    expect(answers.map((answer) => answer?.status())).toEqual([200, 200, 200, 404, 400]);
    expect(answers[1]?.url()).toBe(attempt.url);
  });

  it('lets browsers cache its assets, and lets applications show the logos', async () => {
    const loaded = new Map<string, Record<string, string>>();
    const page = await harness.openPage();
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.startsWith('/connect/assets/')) loaded.set(pathname, response.headers());
    });
    await page.goto((await harness.begin()).url);
    await page.getByRole('link', { name: 'Paste an API key' }).waitFor();
    const kinds = [...loaded].map(([path, headers]) => [path.split('.').at(-1), headers['cache-control']]);
    expect(kinds).toEqual(
      expect.arrayContaining([
        ['css', 'public, max-age=31536000, immutable'],
        ['js', 'public, max-age=31536000, immutable'],
      ]),
    );
    const logo = loaded.get('/connect/assets/logo/kraken.svg');
    expect(logo).toMatchObject({ 'cross-origin-resource-policy': 'cross-origin', 'content-type': 'image/svg+xml' });
    const again = await fetch(`${harness.app.url}/connect/assets/logo/kraken.svg`, {
      headers: { 'if-none-match': logo?.etag ?? '' },
    });
    expect(again.status).toBe(304);
    expect((await fetch(`${harness.app.url}/connect/assets/logo/nobody.svg`)).status).toBe(404);
  });
});
