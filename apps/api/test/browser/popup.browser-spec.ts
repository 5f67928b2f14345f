import type { Page } from 'playwright-core';
import WebSocket from 'ws';
import { BrowserHarness, type ApplicationPages, type Attempt } from './browser-harness.js';
import { allow, deny, press, seen } from './steps.js';

interface Heard {
  origin: string;
  data: { source: string; idem: string; body: Record<string, unknown> };
}

describe('the connect page at the end of a connect session', () => {
  let harness: BrowserHarness;
  beforeAll(async () => {
    harness = await BrowserHarness.start();
  });
  afterEach(() => harness.leave());
  afterAll(() => harness.close());

  it('sends the outcome once to the page that opened the popup, and closes the popup', async () => {
    const attempt = await harness.begin({ origin: harness.application.origin });
    const { opener, popup } = await openPopup(harness.application, attempt);
    await press(popup, 'Sign in at Kraken');
    const closed = popup.waitForEvent('close');
    await allow(popup);
    await closed;
    const [message, ...more] = await heard(opener, 1);
    expect(message).toEqual({
      origin: harness.app.url,
      data: {
        source: 'causeway',
        idem: attempt.idem,
        body: { type: 'oauth2', way: 'oauth2', success: true, walletId: attempt.walletId, exchange: 'kraken' },
      },
    });
    expect(more).toEqual([]);
    // Polling the status reports the same outcome.
    expect(await harness.statusOf(attempt)).toMatchObject({ success: true, type: message?.data.body.type });
  });

  it('sends a failed outcome, too, to the page that opened the popup', async () => {
    const attempt = await harness.begin({ origin: harness.application.origin });
    const { opener, popup } = await openPopup(harness.application, attempt);
    const closed = popup.waitForEvent('close');
    await press(popup, 'Cancel and go back to Shop');
    await closed;
    const [message] = await heard(opener, 1);
    expect(message?.data.body).toMatchObject({ success: false, code: 'OAUTH_AUTHORIZATION_FAILED' });
  });

  it('sends nothing to a page of another origin', async () => {
    const attempt = await harness.begin({ origin: harness.application.origin });
    const { opener, popup } = await openPopup(harness.stranger, attempt);
    await press(popup, 'Sign in at Kraken');
    const closed = popup.waitForEvent('close');
    await allow(popup);
    await closed;
    expect(await harness.statusOf(attempt)).toMatchObject({ status: 'success' });
    // Messages arrive in order: anything that the popup sent would arrive before this message.
    await opener.evaluate(`postMessage('after', '*')`);
    expect(await heard(opener, 1)).toEqual([{ origin: harness.stranger.origin, data: 'after' }]);
  });

  it('sends nothing when the application named no origin', async () => {
    const attempt = await harness.begin();
    const { opener, popup } = await openPopup(harness.application, attempt);
    await press(popup, 'Sign in at Kraken');
    await allow(popup);
    await seen(popup, /account is connected/);
    await opener.evaluate(`postMessage('after', '*')`);
    expect(await heard(opener, 1)).toEqual([{ origin: harness.application.origin, data: 'after' }]);
    const closed = popup.waitForEvent('close');
    await press(popup, 'Close this window');
    await closed;
  });

  it('reports the outcome over the WebSocket when the popup was closed early', async () => {
    const attempt = await harness.begin({ origin: harness.application.origin });
    const told = listen(attempt);
    const { popup } = await openPopup(harness.application, attempt);
    await press(popup, 'Sign in at Kraken');
    await popup.getByLabel('Password').fill('sandbox');
    await press(popup, 'Log in');
    await popup.getByRole('button', { name: 'Allow' }).waitFor();
    // Waits only until the browser has sent the callback, so that the popup can be closed before it shows the outcome.
    const [callback] = await Promise.all([
      popup.waitForRequest((request) => request.url().includes('/callback')),
      press(popup, 'Allow').catch(() => undefined),
    ]);
    expect(callback.url()).toContain('code=');
    await popup.close();
    expect(await told).toMatchObject({ idem: attempt.idem, body: { type: 'oauth2', success: true } });
    expect(await harness.walletOf(attempt)).not.toBeNull();
  });

  it('redirects to the return URL of the application, with the outcome in the query', async () => {
    const attempt = await harness.begin({ returnUrl: `${harness.application.origin}/back` });
    const page = await harness.openPage();
    await page.goto(attempt.url);
    await press(page, 'Sign in at Kraken');
    await allow(page);
    await seen(page, 'Application');
    const { origin, pathname, searchParams } = new URL(page.url());
    expect(`${origin}${pathname}`).toBe(`${harness.application.origin}/back`);
    expect(Object.fromEntries(searchParams)).toEqual({
      idem: attempt.idem,
      success: 'true',
      walletId: attempt.walletId,
      exchange: 'kraken',
    });
    expect(await page.evaluate('document.referrer')).toBe('');
  });

  it('returns to the application with the error code when the person cancels', async () => {
    const attempt = await harness.begin({ returnUrl: `${harness.application.origin}/back` });
    const page = await harness.openPage();
    await page.goto(attempt.url);
    await press(page, 'Sign in at Kraken');
    await deny(page);
    await press(page, 'Cancel and go back to Shop');
    await seen(page, 'Application');
    expect(new URL(page.url()).searchParams.get('error')).toBe('OAUTH_AUTHORIZATION_FAILED');
  });

  async function openPopup(pages: ApplicationPages, { url }: Attempt): Promise<{ opener: Page; popup: Page }> {
    const opener = await harness.openPage();
    await opener.goto(pages.origin);
    const opening = opener.waitForEvent('popup');
    await opener.evaluate(`open(${JSON.stringify(url)}, 'connect', 'popup,width=480,height=720'); undefined`);
    const popup = await opening;
    await seen(popup, /Connect your/);
    return { opener, popup };
  }

  /** Waits for this many messages to a page of the application, and returns all that arrived. */
  async function heard(opener: Page, count: number): Promise<Heard[]> {
    await opener.waitForFunction(`heard.length >= ${count}`);
    return await opener.evaluate<Heard[]>('heard');
  }

  /** Resolves to the first message of the topic. */
  function listen({ idem }: Attempt): Promise<unknown> {
    const query = new URLSearchParams({ idem, orgId: harness.project.organizationId });
    const socket = new WebSocket(`${harness.app.url.replace('http', 'ws')}/v0/ws/oauth2/listen?${query.toString()}`);
    return new Promise((resolve, reject) => {
      socket.on('error', reject);
      socket.on('message', (data: Buffer) => {
        socket.close();
        resolve(JSON.parse(data.toString()));
      });
    });
  }
});
