import type { Page } from 'playwright-core';
import { BrowserHarness, faultsOf } from './browser-harness.js';
import { allow, deny, logIn, pasteKey, press, seen } from './steps.js';

describe('a person on the hosted page', () => {
  let harness: BrowserHarness;
  beforeAll(async () => {
    harness = await BrowserHarness.start();
  });
  afterEach(() => harness.leave());
  afterAll(() => harness.close());

  const CONNECTED = /account is connected/;

  describe.each(['kraken', 'coinbase'])('signs in at %s', (exchange) => {
    const name = exchange === 'kraken' ? 'Kraken' : 'Coinbase';

    it('and connects the account by allowing the access', async () => {
      const attempt = await harness.begin({ exchange });
      const page = await harness.openPage();
      await page.goto(attempt.url);
      expect(await faultsOf(page, `choose-${exchange}`)).toEqual([]);
      await press(page, `Sign in at ${name}`);
      await allow(page);
      await seen(page, `Your ${name} account is connected`);
      expect(page.url()).toBe(attempt.url);
      expect(await faultsOf(page, `connected-${exchange}`)).toEqual([]);
      expect(await harness.statusOf(attempt)).toMatchObject({ status: 'success', success: true });
      expect(await harness.walletOf(attempt)).toMatchObject({ walletId: attempt.walletId });
    });

    it('and connects the account at the second attempt, after denying the access at the first', async () => {
      const attempt = await harness.begin({ exchange });
      const page = await harness.openPage();
      await page.goto(attempt.url);
      await press(page, `Sign in at ${name}`);
      await deny(page);
      await page.getByText('was not granted').waitFor();
      expect(await faultsOf(page, `denied-${exchange}`)).toEqual([]);
      expect(await harness.walletOf(attempt)).toBeNull();
      await press(page, `Sign in at ${name}`);
      await allow(page);
      await seen(page, CONNECTED);
    });
  });

  it('returns from the exchange with the back button, signs in again, and connects the account', async () => {
    const attempt = await harness.begin();
    const page = await harness.openPage();
    await page.goto(attempt.url);
    await press(page, 'Sign in at Kraken');
    await seen(page, /Log in/);
    await page.goBack();
    await seen(page, 'Connect your Kraken account');
    await page.getByText('You have not finished at Kraken yet').waitFor();
    expect(await faultsOf(page, 'choose-unfinished')).toEqual([]);
    await press(page, 'Sign in at Kraken');
    await allow(page);
    await seen(page, CONNECTED);
  });

  it('connects with a pasted key', async () => {
    const account = await harness.app.sandbox.open({ permissions: ['query-funds', 'query-ledger'] });
    const attempt = await harness.begin();
    const page = await harness.openPage();
    await openKeyForm(page, attempt.url);
    expect(await faultsOf(page, 'key')).toEqual([]);
    await pasteKey(page, account);
    await seen(page, CONNECTED);
    expect(await harness.statusOf(attempt)).toMatchObject({ status: 'success' });
  });

  it('copies one or all egress addresses for the allow-list of the key', async () => {
    const page = await harness.openPage({ permissions: ['clipboard-read', 'clipboard-write'] });
    await openKeyForm(page, (await harness.begin()).url);
    await press(page, 'Copy 203.0.113.11');
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('203.0.113.11');
    await press(page, 'Copy all');
    await page.waitForFunction(`navigator.clipboard.readText().then((text) => text === '203.0.113.10,203.0.113.11')`);
  });

  it('sees the error for an invalid key, and then connects with a valid key', async () => {
    const account = await harness.app.sandbox.open({ permissions: ['query-funds'] });
    const page = await harness.openPage();
    await openKeyForm(page, (await harness.begin()).url);
    await pasteKey(page, { apiKey: 'not-a-key', apiSecret: account.apiSecret });
    await page.getByRole('alert').getByText('does not accept this key').waitFor();
    expect(await page.content()).not.toContain(account.apiSecret);
    expect(await page.getByLabel('API key', { exact: true }).inputValue()).toBe('not-a-key');
    expect(await page.getByLabel('Private key').inputValue()).toBe('');
    expect(await faultsOf(page, 'key-refused')).toEqual([]);
    await pasteKey(page, account);
    await seen(page, CONNECTED);
  });

  it('sees a warning about a key that can withdraw, and uses another key', async () => {
    const attempt = await harness.begin();
    const [strong, weak] = [
      await harness.app.sandbox.open({ permissions: ['query-funds', 'withdraw-funds'] }),
      await harness.app.sandbox.open({ permissions: ['query-funds'] }),
    ];
    const page = await harness.openPage();
    await openKeyForm(page, attempt.url);
    await pasteKey(page, strong);
    await seen(page, 'Please look at this key once more');
    expect(await faultsOf(page, 'warning')).toEqual([]);
    expect(await harness.walletOf(attempt)).toBeNull();
    await press(page, 'Use another key');
    await pasteKey(page, weak);
    await seen(page, CONNECTED);
  });

  it('sees a warning about a key with too few permissions, and uses it anyway', async () => {
    const weak = await harness.app.sandbox.open({ permissions: ['query-funds'] });
    const page = await harness.openPage();
    await openKeyForm(page, (await harness.begin({ access: 'read,withdrawal' })).url);
    await pasteKey(page, weak);
    await seen(page, 'Please look at this key once more');
    expect(await faultsOf(page, 'warning-less')).toEqual([]);
    await press(page, 'Connect with this key anyway');
    await seen(page, CONNECTED);
  });

  it('connects by scanning a QR code with a phone', async () => {
    const attempt = await harness.begin({ exchange: 'sandbox' });
    const [page, phone] = [await harness.openPage(), await harness.openPage({ viewport: { width: 320, height: 640 } })];
    await page.goto(attempt.url);
    await press(page, 'Scan a code with the Sandbox app');
    await seen(page, 'Scan with the Sandbox app');
    expect(await faultsOf(page, 'qr')).toEqual([]);
    const content = await page.getByRole('link', { name: /app on this device/ }).getAttribute('href');
    await phone.goto(content ?? '');
    await logIn(phone);
    await page.getByText('Scanned. Now confirm in the app.').waitFor();
    await press(phone, 'Allow');
    await seen(page, CONNECTED);
    expect(await harness.statusOf(attempt)).toMatchObject({ status: 'success' });
  });

  it('denies the access on the phone, and then signs in at the exchange in the browser', async () => {
    const attempt = await harness.begin({ exchange: 'sandbox' });
    const [page, phone] = [await harness.openPage(), await harness.openPage()];
    await page.goto(attempt.url);
    await press(page, 'Scan a code with the Sandbox app');
    const content = await page.getByRole('link', { name: /app on this device/ }).getAttribute('href');
    await phone.goto(content ?? '');
    await deny(phone);
    await page.getByText('was not granted').waitFor();
    await press(page, 'Sign in at Sandbox');
    await allow(page);
    await seen(page, CONNECTED);
  });

  it('continues on a phone, while the page in the first browser shows the progress', async () => {
    const attempt = await harness.begin();
    const [page, phone] = [await harness.openPage(), await harness.openPage({ viewport: { width: 320, height: 640 } })];
    await page.goto(attempt.url);
    await page.getByText('Continue on your phone').click();
    await page.getByRole('img', { name: 'QR code with the address of this page' }).waitFor();
    expect(await faultsOf(page, 'choose-phone')).toEqual([]);
    await phone.goto(attempt.url);
    await press(phone, 'Sign in at Kraken');
    await seen(page, 'Opened in another browser');
    await allow(phone);
    await seen(phone, CONNECTED);
    await seen(page, 'Done in the other browser');
    expect(await faultsOf(page, 'done-elsewhere')).toEqual([]);
  });

  it('connects the same wallet again after the API key of the wallet was revoked', async () => {
    const account = await harness.app.sandbox.open({ permissions: ['query-funds'] });
    const first = await harness.begin();
    const page = await harness.openPage();
    await openKeyForm(page, first.url);
    await pasteKey(page, account);
    await seen(page, CONNECTED);
    const [before, id] = [await harness.walletOf(first), await internalId(first.walletId)];
    await harness.app.sandbox.revoke(account);
    const again = await harness.begin({ walletId: first.walletId });
    await page.goto(again.url);
    await press(page, 'Sign in at Kraken');
    await allow(page);
    await seen(page, CONNECTED);
    const { createdAt } = before ?? {};
    expect(await harness.walletOf(again)).toMatchObject({ walletId: first.walletId, createdAt, invalidApi: false });
    expect(await internalId(first.walletId)).toBe(id);
  });

  it('cancels, and sees that the account was not connected', async () => {
    const attempt = await harness.begin();
    const page = await harness.openPage();
    await page.goto(attempt.url);
    await press(page, 'Cancel');
    await seen(page, 'The account was not connected');
    expect(await faultsOf(page, 'cancelled')).toEqual([]);
    expect(await harness.statusOf(attempt)).toMatchObject({ status: 'failed', success: false });
  });

  async function internalId(externalWalletId: string): Promise<string | undefined> {
    const sql = 'select id from wallets where external_id = $1 and deleted_at is null';
    const rows = await harness.app.db.query<{ id: string }>(sql, [externalWalletId]);
    expect(rows).toHaveLength(1);
    return rows[0]?.id;
  }

  async function openKeyForm(page: Page, url: string): Promise<void> {
    await page.goto(url);
    await page.getByRole('link', { name: 'Paste an API key' }).click();
    await seen(page, 'Connect Kraken with an API key');
  }
});
