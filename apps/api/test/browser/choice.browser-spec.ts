import { BrowserBed, CHOICE, faultsOf } from './browser-bed.js';
import { allow, press, seen } from './steps.js';

describe('a person with a link without an exchange', () => {
  let bed: BrowserBed;
  beforeAll(async () => {
    bed = await BrowserBed.start();
  });
  afterEach(() => bed.leave());
  afterAll(() => bed.close());

  it('searches the list, chooses, changes the choice, and connects', async () => {
    const page = await bed.visitor();
    await page.goto((await bed.begin({ exchange: CHOICE })).url);
    await seen(page, 'Choose your exchange');
    expect(await faultsOf(page, 'pick')).toEqual([]);
    await page.getByLabel('Search').fill('coin');
    await page.getByRole('button', { name: 'Kraken' }).waitFor({ state: 'hidden' });
    await page.getByLabel('Search').fill('no such exchange');
    await page.getByText('No exchange of this list has such a name.').waitFor();
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

  it('sees every page in German, with a browser in German and without JavaScript', async () => {
    const page = await bed.visitor({ locale: 'de-DE', javaScriptEnabled: false });
    await page.goto((await bed.begin({ exchange: CHOICE })).url);
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

  it('can use the key form of every exchange', async () => {
    const page = await bed.visitor();
    await page.goto((await bed.begin({ exchange: CHOICE })).url);
    const choices = await page.locator('button[name=exchange]').all();
    const ids = await Promise.all(choices.map((choice) => choice.getAttribute('value')));
    expect(ids.length).toBeGreaterThanOrEqual(5);
    for (const id of ids) {
      await page.goto((await bed.begin({ exchange: CHOICE })).url);
      await page.locator(`button[value=${String(id)}]`).click();
      await page.getByRole('link', { name: 'Paste an API key' }).click();
      await seen(page, /with an API key/);
      expect(await faultsOf(page, `key-form-${String(id)}`)).toEqual([]);
    }
  });

  it('sees the name, the colour and the logo of the project', async () => {
    await bed.setLooks({ displayName: 'Corner Shop', color: '#f5c400', logoUrl: null });
    const page = await bed.visitor();
    await page.goto((await bed.begin({ exchange: 'kraken' })).url);
    await page.getByText('What Corner Shop asks for').waitFor();
    // Axe measures the contrast of the adapted colour.
    expect(await faultsOf(page, 'theme')).toEqual([]);
  });
});
