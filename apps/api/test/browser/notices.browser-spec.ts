import { BrowserHarness, faultsOf } from './browser-harness.js';
import { press, seen } from './steps.js';

describe('a person with a link that does not work', () => {
  let harness: BrowserHarness;
  beforeAll(async () => {
    harness = await BrowserHarness.start();
  });
  afterEach(() => harness.leave());
  afterAll(() => harness.close());

  it('sees that the link does not exist', async () => {
    const page = await harness.openPage();
    const answer = await page.goto(`${harness.app.url}/connect/${'x'.repeat(43)}`);
    await seen(page, 'This link leads nowhere');
    expect(answer?.status()).toBe(404);
    expect(await faultsOf(page, 'unknown')).toEqual([]);
  });

  it('sees that our service failed, and the request id that the log line contains', async () => {
    const { url } = await harness.begin();
    const page = await harness.openPage();
    await harness.app.asOwner('alter table connect_sessions rename to sessions_away');
    const answer = await page.goto(url);
    await harness.app.asOwner('alter table sessions_away rename to connect_sessions');
    await seen(page, 'Something went wrong on our side');
    expect(answer?.status()).toBe(500);
    const requestId = (await answer?.headerValue('x-request-id')) ?? '';
    await page.getByText(requestId).waitFor();
    expect(harness.app.logLines.some((line) => line.includes(requestId) && line.includes('request failed'))).toBe(true);
    expect(await faultsOf(page, 'fault')).toEqual([]);
    await page.getByRole('link', { name: 'Open the page again' }).click();
    await seen(page, 'Connect your Kraken account');
  });

  it('sees that there were too many requests, with status 429 and Retry-After', async () => {
    const strict = await BrowserHarness.start({ env: { CONNECT_VISITS_PER_MINUTE: '2' } });
    const { url } = await strict.begin();
    const page = await strict.openPage();
    for (let visit = 0; visit < 2; visit++) await page.goto(url);
    const answer = await page.goto(url);
    await seen(page, 'Too many requests');
    expect(answer?.status()).toBe(429);
    expect(Number(await answer?.headerValue('retry-after'))).toBeGreaterThan(0);
    expect(await faultsOf(page, 'too-many')).toEqual([]);
    await strict.close();
  });

  it('sees that the link has expired, on an open page and after a click', async () => {
    const [fresh, begun] = [await harness.begin(), await harness.begin()];
    const [page, late] = [await harness.openPage(), await harness.openPage()];
    await page.goto(begun.url);
    await late.goto(fresh.url);
    harness.app.clock.advance(16 * 60_000);
    await press(page, 'Sign in at Kraken');
    await seen(page, 'This link has expired');
    expect(await faultsOf(page, 'expired')).toEqual([]);
    // The page shows the expiry without a reload.
    await seen(late, 'This link has expired');
    expect(await harness.statusOf(begun)).toMatchObject({ status: 'failed' });
  });
});
