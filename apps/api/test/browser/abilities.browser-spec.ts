import type { Page } from 'playwright-core';
import { BrowserHarness } from './browser-harness.js';
import { allow, logIn, pasteKey, press, seen } from './steps.js';

const CONNECTED = /account is connected/;
/** Maximum number of presses of the Tab key; no page has so many focusable elements. */
const STOPS_MAX = 40;

describe('a person on the connect page', () => {
  let harness: BrowserHarness;
  beforeAll(async () => {
    harness = await BrowserHarness.start();
  });
  afterEach(() => harness.leave());
  afterAll(() => harness.close());

  describe('without JavaScript', () => {
    const noScript = { javaScriptEnabled: false };

    it('connects an account by signing in at the exchange', async () => {
      const page = await harness.openPage(noScript);
      await page.goto((await harness.begin()).url);
      await press(page, 'Sign in at Kraken');
      await allow(page);
      await seen(page, CONNECTED);
    });

    it('pastes a key, sees a warning, and uses the key', async () => {
      const account = await harness.app.sandbox.open({ permissions: ['query-funds', 'withdraw-funds'] });
      const page = await harness.openPage(noScript);
      await page.goto((await harness.begin()).url);
      await page.getByRole('link', { name: 'Paste an API key' }).click();
      expect(await page.getByRole('button', { name: /^Copy/ }).count()).toBe(0);
      await pasteKey(page, account);
      await press(page, 'Connect with this key anyway');
      await seen(page, CONNECTED);
    });

    it('sees which field of the key form is empty, with a link to the field', async () => {
      const page = await harness.openPage(noScript);
      await page.goto((await harness.begin()).url);
      await page.getByRole('link', { name: 'Paste an API key' }).click();
      await pasteKey(page, { apiKey: ' ', apiSecret: 'given' });
      await page.getByRole('link', { name: 'API key: please fill this in.' }).click();
      await page.locator('#apiKey:target').waitFor();
      expect(await page.getByLabel('Private key').inputValue()).toBe('');
    });

    it('connects an account by scanning a QR code with a phone', async () => {
      const [page, phone] = [await harness.openPage(noScript), await harness.openPage()];
      await page.goto((await harness.begin({ exchange: 'sandbox' })).url);
      await press(page, 'Scan a code with the Sandbox app');
      const content = await page.getByRole('link', { name: /app on this device/ }).getAttribute('href');
      await phone.goto(content ?? '');
      await logIn(phone);
      await page.getByText('Scanned. Now confirm in the app.').waitFor();
      await press(phone, 'Allow');
      await seen(page, CONNECTED);
    });
  });

  describe('with a keyboard alone', () => {
    it('connects an account by signing in at the exchange', async () => {
      const page = await harness.openPage();
      await page.goto((await harness.begin()).url);
      await page.keyboard.press('Tab');
      expect(await focused(page)).toBe('Skip to the content');
      await tabTo(page, 'Sign in at Kraken');
      await page.keyboard.press('Enter');
      await seen(page, /Log in/);
      await tabTo(page, 'Password');
      await page.keyboard.type('sandbox');
      await page.keyboard.press('Enter');
      await seen(page, /allow access/);
      await tabTo(page, 'Allow');
      await page.keyboard.press('Enter');
      await seen(page, CONNECTED);
    });

    it('moves through the key form with Tab, and from the error summary back to the field with the error', async () => {
      const account = await harness.app.sandbox.open({ permissions: ['query-funds'] });
      const page = await harness.openPage();
      await page.goto((await harness.begin()).url);
      await tabTo(page, 'Paste an API key');
      await page.keyboard.press('Enter');
      await seen(page, 'Connect Kraken with an API key');
      await tabTo(page, 'apiKey');
      await page.keyboard.type('no key');
      await page.keyboard.press('Tab');
      expect(await focused(page)).toBe('apiSecret');
      await page.keyboard.type(account.apiSecret);
      await page.keyboard.press('Enter');
      await page.getByRole('alert').waitFor();
      await page.waitForFunction(`document.activeElement.id === 'summary'`);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForFunction(`document.activeElement.id === 'apiKey'`);
      await page.keyboard.type(account.apiKey);
      await page.keyboard.press('Tab');
      await page.keyboard.type(account.apiSecret);
      await page.keyboard.press('Enter');
      await seen(page, CONNECTED);
    });
  });

  it('sends the form once when the button is double-clicked', async () => {
    const page = await harness.openPage();
    await page.goto((await harness.begin()).url);
    let posts = 0;
    page.on('request', (request) => (posts += request.method() === 'POST' ? 1 : 0));
    await page.getByRole('button', { name: 'Sign in at Kraken' }).dblclick();
    await seen(page, /Log in/);
    expect(posts).toBe(1);
  });

  /** Returns the id, the label or the text of the focused element. */
  async function focused(page: Page): Promise<string> {
    return await page.evaluate<string>(`(({ id, ariaLabel, labels, textContent }) =>
      id || ariaLabel || (labels?.[0]?.textContent ?? textContent).trim())(document.activeElement)`);
  }

  /** Presses Tab until the element has the focus; every element on the way must show its focus. */
  async function tabTo(page: Page, name: string): Promise<void> {
    for (let stop = 0; stop < STOPS_MAX; stop++) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
      if ((await focused(page)) === name) return;
    }
    throw new Error(`the focus never came to ${name}`);
  }
});
