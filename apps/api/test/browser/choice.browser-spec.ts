import { randomUUID } from 'node:crypto';
import { exchangeFacts } from '#exchange';
import { BrowserHarness, CHOICE, faultsOf } from './browser-harness.js';
import { allow, press, seen } from './steps.js';

const PASSPHRASE = 'sandbox';
/** The exchanges that the sandbox exchange simulates. Links of test projects offer exactly these exchanges. */
const simulated = exchangeFacts.flatMap(({ spec }) => (spec.hasSandbox ? [spec.id] : []));
/** Every API key of Gemini begins with this text. */
const GEMINI_PREFIX = 'account-';

describe('a person with a connect link', () => {
  let harness: BrowserHarness;
  beforeAll(async () => {
    harness = await BrowserHarness.start();
  });
  afterEach(() => harness.leave());
  afterAll(() => harness.close());

  it('searches the list of exchanges, chooses an exchange, changes to another one, and connects the account', async () => {
    const page = await harness.openPage();
    await page.goto((await harness.begin({ exchange: CHOICE })).url);
    await seen(page, 'Choose your exchange');
    expect(await faultsOf(page, 'pick')).toEqual([]);
    await page.getByLabel('Search').fill('coin');
    await page.getByRole('button', { name: 'Kraken' }).waitFor({ state: 'hidden' });
    await page.getByLabel('Search').fill('no such exchange');
    await page.getByText('No exchange in this list has that name.').waitFor();
    await page.getByLabel('Search').fill('coinb');
    await press(page, 'Coinbase');
    await seen(page, 'Connect your Coinbase account');
    await page.getByRole('link', { name: 'Choose another exchange' }).click();
    await press(page, 'Kraken');
    await seen(page, 'Connect your Kraken account');
    await press(page, 'Sign in at Kraken');
    await allow(page);
    await seen(page, 'Your Kraken account is connected');
  });

  it('sees the pages from the choice to the connection in German, in a German browser without JavaScript', async () => {
    const page = await harness.openPage({ locale: 'de-DE', javaScriptEnabled: false });
    await page.goto((await harness.begin({ exchange: CHOICE })).url);
    await seen(page, 'Börse wählen');
    await press(page, 'Kraken');
    await seen(page, 'Ihr Konto bei Kraken verbinden');
    await page.getByRole('link', { name: 'Einen API-Schlüssel einfügen' }).click();
    await seen(page, 'Kraken mit einem API-Schlüssel verbinden');
    await page.goBack();
    await press(page, 'Bei Kraken anmelden');
    await allow(page);
    await seen(page, 'Ihr Konto bei Kraken ist verbunden');
  });

  /** The key of a new account at the sandbox exchange, by the names of the form's fields. */
  async function keyAt(exchange: string): Promise<Record<string, string>> {
    const { sandbox } = harness.app;
    if (exchange === 'sandbox') return { apiKey: (await sandbox.openPartner()).token };
    const { apiKey, apiSecret } =
      exchange === 'coinbase'
        ? await sandbox.openCoinbase()
        : await sandbox.open(exchange === 'gemini' ? { apiKey: GEMINI_PREFIX + randomUUID() } : {});
    return { apiKey, apiSecret, apiPassphrase: PASSPHRASE };
  }

  it('sees exactly the exchanges that the sandbox exchange simulates when the link names no exchange', async () => {
    const page = await harness.openPage();
    await page.goto((await harness.begin({ exchange: CHOICE })).url);
    const choices = await page.locator('button[name=exchange]').all();
    const ids = await Promise.all(choices.map((choice) => choice.getAttribute('value')));
    expect(new Set(ids)).toEqual(new Set(simulated));
  });

  it.each(simulated)('chooses %s and connects an account with an API key', async (exchange) => {
    const page = await harness.openPage();
    const attempt = await harness.begin({ exchange: CHOICE });
    await page.goto(attempt.url);
    await page.locator(`button[value=${exchange}]`).click();
    await page.getByRole('link', { name: 'Paste an API key' }).click();
    await seen(page, /with an API key/);
    expect(await faultsOf(page, `key-form-${exchange}`)).toEqual([]);
    for (const [name, text] of Object.entries(await keyAt(exchange))) {
      const field = page.locator(`[name=${name}]`);
      if ((await field.count()) === 1) await field.fill(text);
    }
    await press(page, 'Connect');
    const headings = page.locator('h1');
    await headings.filter({ hasText: /once more|is connected/ }).waitFor();
    const anyway = page.getByRole('button', { name: 'Connect with this key anyway' });
    if ((await anyway.count()) === 1) await anyway.click();
    await seen(page, /is connected/);
    expect(await harness.walletOf(attempt)).toMatchObject({ walletId: attempt.walletId, exchange });
  });

  it('sees the name of the project, and its colour, darkened where the contrast would be too low', async () => {
    await harness.setAppearance({ displayName: 'Corner Shop', color: '#f5c400', logoUrl: null });
    const page = await harness.openPage();
    await page.goto((await harness.begin({ exchange: 'kraken' })).url);
    await page.getByText('What Corner Shop asks for').waitFor();
    const buttonColorIn = async (colorScheme: 'light' | 'dark'): Promise<string> => {
      await page.emulateMedia({ colorScheme });
      return await page.evaluate<string>(`getComputedStyle(document.querySelector('button.primary')).backgroundColor`);
    };
    // White text on this yellow would be hard to read, so the light scheme has a darker shade of it.
    const [red = 0, green = 0, blue = 0] = ((await buttonColorIn('light')).match(/\d+/g) ?? []).map(Number);
    expect(red).toBeLessThan(0xf5);
    expect([green / red, blue]).toEqual([expect.closeTo(0xc4 / 0xf5, 1), 0]);
    expect(await buttonColorIn('dark')).toBe('rgb(245, 196, 0)');
    // Axe measures the contrast of the adapted colour.
    expect(await faultsOf(page, 'theme')).toEqual([]);
  });
});
