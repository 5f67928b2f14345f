import { BrowserBed, faultsOf } from './browser-bed.js';
import { press, seen } from './steps.js';

describe('a person with a link that does not work', () => {
  let bed: BrowserBed;
  beforeAll(async () => {
    bed = await BrowserBed.start();
  });
  afterEach(() => bed.leave());
  afterAll(() => bed.close());

  it('sees that the link does not exist', async () => {
    const page = await bed.visitor();
    const answer = await page.goto(`${bed.app.url}/connect/${'x'.repeat(43)}`);
    await seen(page, 'This link leads nowhere');
    expect(answer?.status()).toBe(404);
    expect(await faultsOf(page, 'unknown')).toEqual([]);
  });

  it('sees that our service failed, with the id of the log line', async () => {
    const { url } = await bed.begin();
    const page = await bed.visitor();
    await bed.app.asOwner('alter table connect_sessions rename to sessions_away');
    const answer = await page.goto(url);
    await bed.app.asOwner('alter table sessions_away rename to connect_sessions');
    await seen(page, 'Something went wrong on our side');
    expect(answer?.status()).toBe(500);
    const requestId = (await answer?.headerValue('x-request-id')) ?? '';
    await page.getByText(requestId).waitFor();
    expect(bed.app.logLines.some((line) => line.includes(requestId) && line.includes('request failed'))).toBe(true);
    expect(await faultsOf(page, 'fault')).toEqual([]);
    await page.getByRole('link', { name: 'Open the page again' }).click();
    await seen(page, 'Connect your Kraken account');
  });

  it('sees that there were too many requests, and can continue later', async () => {
    const strict = await BrowserBed.start({ env: { CONNECT_VISITS_PER_MINUTE: '2' } });
    const { url } = await strict.begin();
    const page = await strict.visitor();
    for (let visit = 0; visit < 2; visit++) await page.goto(url);
    const answer = await page.goto(url);
    await seen(page, 'Too many requests');
    expect(answer?.status()).toBe(429);
    expect(Number(await answer?.headerValue('retry-after'))).toBeGreaterThan(0);
    expect(await faultsOf(page, 'too-many')).toEqual([]);
    await strict.close();
  });

  it('sees that the link has expired, at each step', async () => {
    const [fresh, begun] = [await bed.begin(), await bed.begin()];
    const [page, late] = [await bed.visitor(), await bed.visitor()];
    await page.goto(begun.url);
    await late.goto(fresh.url);
    bed.app.clock.advance(16 * 60_000);
    await press(page, 'Sign in at Kraken');
    await seen(page, 'This link has expired');
    expect(await faultsOf(page, 'expired')).toEqual([]);
    // The page shows this without a reload.
    await seen(late, 'This link has expired');
    expect(await bed.statusOf(begun)).toMatchObject({ status: 'failed' });
  });
});
