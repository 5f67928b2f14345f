import type { Page } from 'playwright-core';
import WebSocket from 'ws';
import { BrowserBed, type ApplicationPages, type Attempt } from './browser-bed.js';
import { allow, deny, press, seen } from './steps.js';

interface Heard {
  origin: string;
  data: { source: string; idem: string; body: Record<string, unknown> };
}

describe('the way back to the application', () => {
  let bed: BrowserBed;
  beforeAll(async () => {
    bed = await BrowserBed.start();
  });
  afterEach(() => bed.leave());
  afterAll(() => bed.close());

  it('tells the page that opened the popup, once, and closes', async () => {
    const attempt = await bed.begin({ origin: bed.application.origin });
    const { opener, popup } = await openPopup(bed.application, attempt);
    await press(popup, 'Sign in at Kraken');
    const closed = popup.waitForEvent('close');
    await allow(popup);
    await closed;
    const [message, ...more] = await heard(opener, 1);
    expect(message).toEqual({
      origin: bed.app.url,
      data: {
        source: 'causeway',
        idem: attempt.idem,
        body: { type: 'oauth2', success: true, walletId: attempt.walletId, exchange: 'kraken' },
      },
    });
    expect(more).toEqual([]);
    // The poll reports the same outcome.
    expect(await bed.statusOf(attempt)).toMatchObject({ success: true, type: message?.data.body.type });
  });

  it('tells it of a failure, too', async () => {
    const attempt = await bed.begin({ origin: bed.application.origin });
    const { opener, popup } = await openPopup(bed.application, attempt);
    const closed = popup.waitForEvent('close');
    await press(popup, 'Cancel and go back to Shop');
    await closed;
    const [message] = await heard(opener, 1);
    expect(message?.data.body).toMatchObject({ success: false, error: { type: 'OAUTH_AUTHORIZATION_FAILED' } });
  });

  it('tells nobody at another origin', async () => {
    const attempt = await bed.begin({ origin: bed.application.origin });
    const { opener, popup } = await openPopup(bed.stranger, attempt);
    await press(popup, 'Sign in at Kraken');
    const closed = popup.waitForEvent('close');
    await allow(popup);
    await closed;
    expect(await bed.statusOf(attempt)).toMatchObject({ status: 'success' });
    // What the popup sent before it closed has arrived where it was to arrive: behind it comes our own message.
    await opener.evaluate(`postMessage('after', '*')`);
    expect(await heard(opener, 1)).toEqual([{ origin: bed.stranger.origin, data: 'after' }]);
  });

  it('tells nobody where no origin was named', async () => {
    const attempt = await bed.begin();
    const { opener, popup } = await openPopup(bed.application, attempt);
    await press(popup, 'Sign in at Kraken');
    await allow(popup);
    await seen(popup, /account is connected/);
    await opener.evaluate(`postMessage('after', '*')`);
    expect(await heard(opener, 1)).toEqual([{ origin: bed.application.origin, data: 'after' }]);
    const closed = popup.waitForEvent('close');
    await press(popup, 'Close this window');
    await closed;
  });

  it('tells the application over its socket when the popup was closed on the way', async () => {
    const attempt = await bed.begin({ origin: bed.application.origin });
    const told = listen(attempt);
    const { popup } = await openPopup(bed.application, attempt);
    await press(popup, 'Sign in at Kraken');
    await popup.getByLabel('Password').fill('sandbox');
    await press(popup, 'Log in');
    await popup.getByRole('button', { name: 'Allow' }).waitFor();
    // Away as soon as the browser has asked, before it has an answer.
    const [callback] = await Promise.all([
      popup.waitForRequest((request) => request.url().includes('/callback')),
      press(popup, 'Allow').catch(() => undefined),
    ]);
    expect(callback.url()).toContain('code=');
    await popup.close();
    expect(await told).toMatchObject({ idem: attempt.idem, body: { type: 'oauth2', success: true } });
    expect(await bed.walletOf(attempt)).not.toBeNull();
  });

  it('leads to the registered address with what became of it', async () => {
    const attempt = await bed.begin({ returnUrl: `${bed.application.origin}/back` });
    const page = await bed.visitor();
    await page.goto(attempt.url);
    await press(page, 'Sign in at Kraken');
    await allow(page);
    await seen(page, 'Application');
    const { origin, pathname, searchParams } = new URL(page.url());
    expect(`${origin}${pathname}`).toBe(`${bed.application.origin}/back`);
    expect(Object.fromEntries(searchParams)).toEqual({
      idem: attempt.idem,
      success: 'true',
      walletId: attempt.walletId,
      exchange: 'kraken',
    });
    expect(await page.evaluate('document.referrer')).toBe('');
  });

  it('shows why nothing was connected, before it leads back', async () => {
    const attempt = await bed.begin({ returnUrl: `${bed.application.origin}/back` });
    const page = await bed.visitor();
    await page.goto(attempt.url);
    await press(page, 'Sign in at Kraken');
    await deny(page);
    await press(page, 'Cancel and go back to Shop');
    await seen(page, 'The account was not connected');
    await page.getByRole('link', { name: 'Back to Shop' }).click();
    await seen(page, 'Application');
    expect(new URL(page.url()).searchParams.get('error')).toBe('OAUTH_AUTHORIZATION_FAILED');
  });

  async function openPopup(pages: ApplicationPages, { url }: Attempt): Promise<{ opener: Page; popup: Page }> {
    const opener = await bed.visitor();
    await opener.goto(pages.origin);
    const opening = opener.waitForEvent('popup');
    await opener.evaluate(`open(${JSON.stringify(url)}, 'connect', 'popup,width=480,height=720'); undefined`);
    const popup = await opening;
    await seen(popup, /Connect your/);
    return { opener, popup };
  }

  /** What a page of the application was told, as soon as there is so much of it. */
  async function heard(opener: Page, count: number): Promise<Heard[]> {
    await opener.waitForFunction(`heard.length >= ${count}`);
    return await opener.evaluate<Heard[]>('heard');
  }

  /** The first message of a topic that says how it ended. */
  function listen({ idem }: Attempt): Promise<unknown> {
    const query = new URLSearchParams({ idem, orgId: bed.project.organizationId });
    const socket = new WebSocket(`${bed.app.url.replace('http', 'ws')}/v0/ws/oauth2/listen?${query.toString()}`);
    return new Promise((resolve, reject) => {
      socket.on('error', reject);
      socket.on('message', (data: Buffer) => {
        socket.close();
        resolve(JSON.parse(data.toString()));
      });
    });
  }
});
