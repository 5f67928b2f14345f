import type { Page } from 'playwright-core';
import { BrowserHarness, faultsOf, type Attempt } from './browser-harness.js';
import { allow, logIn, press, seen } from './steps.js';

const CONNECTED = /account is connected/;
const isCallback = (url: URL): boolean => url.pathname.endsWith('/callback');

describe('an attacker of the connect page', () => {
  let harness: BrowserHarness;
  beforeAll(async () => {
    harness = await BrowserHarness.start();
  });
  afterEach(() => harness.leave());
  afterAll(() => harness.close());

  it('cannot use a link in a second browser, even when both browsers sign in at the same moment', async () => {
    const attempt = await harness.begin();
    const pages = [await harness.openPage(), await harness.openPage()] as const;
    await Promise.all(pages.map((page) => page.goto(attempt.url)));
    await Promise.all(pages.map((page) => press(page, 'Sign in at Kraken')));
    const ends = await Promise.all(
      pages.map((page) =>
        page.getByRole('heading', { level: 1, name: /Log in|Opened in another browser/ }).innerText(),
      ),
    );
    expect(ends.filter((heading) => heading === 'Opened in another browser')).toHaveLength(1);
    const [winner, loser] = ends[0] === 'Opened in another browser' ? [pages[1], pages[0]] : pages;
    expect(await faultsOf(loser, 'other-browser')).toEqual([]);
    await allow(winner);
    await seen(winner, CONNECTED);
    await loser.goto(attempt.url);
    await seen(loser, 'Done in the other browser');
    expect(await loser.content()).not.toContain(attempt.walletId);
  });

  it('cannot hide that the link was opened before: the account owner sees a warning', async () => {
    const { url } = await harness.begin();
    const [attacker, owner] = [await harness.openPage(), await harness.openPage()];
    await attacker.goto(url);
    await press(attacker, 'Sign in at Kraken');
    await owner.goto(url);
    await seen(owner, 'Opened in another browser');
    expect(await owner.getByRole('button').count()).toBe(0);
  });

  it('cannot use a stolen OAuth state, because only the browser that received it can', async () => {
    const attempt = await harness.begin();
    const [owner, thief] = [await harness.openPage(), await harness.openPage()];
    const stolen = await heldBack(owner, attempt);
    await thief.goto(stolen);
    await seen(thief, 'This page cannot go on');
    expect(await faultsOf(thief, 'stolen-state')).toEqual([]);
    expect(await harness.walletOf(attempt)).toBeNull();
    await owner.unroute(isCallback);
    await owner.goto(stolen);
    await seen(owner, CONNECTED);
  });

  it('cannot connect or change a wallet with a replayed callback', async () => {
    const attempt = await harness.begin();
    const page = await harness.openPage();
    const callback = await heldBack(page, attempt);
    await page.unroute(isCallback);
    await page.goto(callback);
    await seen(page, CONNECTED);
    const before = await harness.walletOf(attempt);
    // A reload of the callback leads the browser of the session to the hosted page; other browsers get an error.
    await page.goto(callback);
    await seen(page, CONNECTED);
    const other = await harness.openPage();
    await other.goto(callback);
    await seen(other, 'This page cannot go on');
    expect(await harness.walletOf(attempt)).toEqual(before);
    expect(await harness.statusOf(attempt)).toMatchObject({ status: 'success' });
  });

  it('cannot use the OAuth state of one exchange at the callback of another exchange', async () => {
    const attempt = await harness.begin();
    const page = await harness.openPage();
    const callback = await heldBack(page, attempt);
    await page.unroute(isCallback);
    await page.goto(callback.replace('/kraken/', '/coinbase/'));
    await seen(page, 'This page cannot go on');
    expect(await harness.walletOf(attempt)).toBeNull();
  });

  it('cannot submit our forms from another site', async () => {
    const attempt = await harness.begin();
    const page = await harness.openPage();
    await page.goto(attempt.url);
    await press(page, 'Sign in at Kraken');
    await seen(page, /Log in/);
    await page.goto(harness.stranger.origin);
    await page.evaluate(
      `document.body.innerHTML = '<form method="post" action="${attempt.url}/cancel"><button>Win a prize</button></form>'`,
    );
    await press(page, 'Win a prize');
    await seen(page, 'This request did not come from our page');
    expect(await faultsOf(page, 'foreign-form')).toEqual([]);
    expect(await harness.statusOf(attempt)).toMatchObject({ status: 'pending' });
    await page.getByRole('link', { name: 'Open the page again' }).click();
    await seen(page, 'Connect your Kraken account');
  });

  it('cannot show the page in a frame of another site', async () => {
    const { url } = await harness.begin();
    const page = await harness.openPage();
    await page.goto(harness.stranger.origin);
    const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
    await page.evaluate(`document.body.innerHTML = '<iframe src="${url}"></iframe>'`);
    await refused;
    expect(page.frames().map((frame) => frame.url())).not.toContain(url);
  });

  it('finds neither link, state nor code in the log, and no link in requests to other sites', async () => {
    const attempt = await harness.begin();
    const page = await harness.openPage();
    const told: string[] = [];
    page.on('request', (request) => {
      const { referer = '' } = request.headers();
      if (!request.url().startsWith(harness.app.url))
        told.push(`${referer} ${request.postData() ?? ''} ${request.url()}`);
    });
    await page.goto(attempt.url);
    await press(page, 'Sign in at Kraken');
    const [callback] = await Promise.all([
      page.waitForRequest((request) => isCallback(new URL(request.url()))),
      allow(page),
    ]);
    await seen(page, CONNECTED);
    const token = new URL(attempt.url).pathname.split('/').at(-1) ?? '';
    const { searchParams } = new URL(callback.url());
    const secrets = [token, searchParams.get('state') ?? '', searchParams.get('code') ?? ''];
    expect(secrets.every((secret) => secret.length > 16)).toBe(true);
    const log = harness.app.logLines.join('');
    for (const secret of secrets) expect(log).not.toContain(secret);
    expect(told.join('\n')).not.toContain(token);
    expect(told.length).toBeGreaterThan(2);
  });

  /** Allows the access at the exchange, and blocks the redirect to our callback. Returns the callback's address. */
  async function heldBack(page: Page, { url }: Attempt): Promise<string> {
    await page.goto(url);
    await press(page, 'Sign in at Kraken');
    await logIn(page);
    let tell: (url: string) => void = () => undefined;
    const asked = new Promise<string>((resolve) => (tell = resolve));
    await page.route(isCallback, async (route) => {
      await route.abort();
      tell(route.request().url());
    });
    await press(page, 'Allow');
    return await asked;
  }
});
