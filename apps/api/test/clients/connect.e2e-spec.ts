import WebSocket from 'ws';
import type { Causeway, ConnectLink, ListenMethod, TopicMessage } from '#client';
import { causewayOf } from '../support/causeway-client.js';
import { ExchangePerson, PageBrowser } from '../support/page-browser.js';
import { TestApp, type TestProjectWithClient } from '../support/test-app.js';

describe('causeway.connect', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let causeway: Causeway;
  let person: ExchangePerson;
  const before = Object.getOwnPropertyDescriptor(globalThis, 'WebSocket');

  beforeAll(async () => {
    app = await TestApp.create();
    project = await app.project();
    causeway = causewayOf(app, project);
    person = new ExchangePerson(app.sandbox.url);
    // The test sets WebSocket, because Node has one of its own only from release 22.
    Object.defineProperty(globalThis, 'WebSocket', { value: WebSocket, configurable: true });
  });
  afterAll(async () => {
    if (before === undefined) Reflect.deleteProperty(globalThis, 'WebSocket');
    else Object.defineProperty(globalThis, 'WebSocket', before);
    await app.close();
  });

  const link = (walletId: string): Promise<ConnectLink> =>
    causeway.connect.link({ exchange: 'kraken', walletId, access: 'read' });

  /**
   * Acts as the owner: opens the page, and allows or denies the access at the exchange. A link works in one browser
   * only, so all attempts with one link must use the same `browser`.
   */
  async function decide(url: string, decision: 'allow' | 'deny', browser = new PageBrowser()): Promise<void> {
    await browser.get(url);
    const account = await app.sandbox.open();
    const { redirectTo } = await person.decide(await browser.leave(url), { decision, accountId: account.accountId });
    await browser.get(redirectTo);
  }

  it.each<ListenMethod>(['auto', 'socket', 'events', 'poll'])(
    'returns the outcome of a link with the listen method %s',
    async (via) => {
      const opened = await link(`by-${via}`);
      const outcome = causeway.connect.open(opened, { via, pollMs: 20, show: (url) => void decide(url, 'allow') });
      await expect(outcome).resolves.toEqual({ status: 'connected', walletId: `by-${via}`, exchange: 'kraken' });
      expect((await causeway.getWallet({ walletId: `by-${via}` })).walletId).toBe(`by-${via}`);
    },
  );

  it.each<ListenMethod>(['socket', 'events', 'poll'])(
    'continues after a failed attempt until the account is connected, with the listen method %s',
    async (via) => {
      const opened = await link(`twice-by-${via}`);
      const browser = new PageBrowser();
      const messages: TopicMessage[] = [];
      const outcome = causeway.connect.open(opened, {
        via,
        pollMs: 20,
        onMessage: (message) => {
          messages.push(message);
          if (message.body.success === false) void decide(opened.url, 'allow', browser);
        },
        show: (url) => void decide(url, 'deny', browser),
      });
      await expect(outcome).resolves.toMatchObject({ status: 'connected' });
      // A poll may also return the state between the attempts.
      const outcomes = messages.map(({ body }) => body.success).filter((success) => success !== undefined);
      expect(outcomes).toEqual([false, true]);
    },
  );

  it('returns the reason closed when the person closes the popup', async () => {
    const popup = { closed: false, close: () => undefined, location: { href: '' } };
    const opened = await link('closed');
    const outcome = causeway.connect.open(opened, { show: () => popup });
    popup.closed = true;
    await expect(outcome).resolves.toEqual({ status: 'exit', reason: 'closed', code: null, message: null });
  });

  it('returns the reason blocked for a blocked popup, and throws the caller’s reason when the caller aborts', async () => {
    const opened = await link('blocked');
    await expect(causeway.connect.open(opened, { show: () => null })).resolves.toMatchObject({ reason: 'blocked' });
    const controller = new AbortController();
    const waiting = causeway.connect.open(opened, { show: () => undefined, signal: controller.signal });
    controller.abort(new Error('the page was left'));
    await expect(waiting).rejects.toThrow('the page was left');
  });

  it('returns the reason expired only when the service reports the expiry, even when the client’s clock is fast', async () => {
    const opened = { ...(await link('fast-clock')), expiresAt: Date.now() - 3_600_000 };
    const outcome = causeway.connect.open(opened, { via: 'socket', show: (url) => void decide(url, 'allow') });
    await expect(outcome).resolves.toMatchObject({ status: 'connected' });
    const late = { ...(await link('late')), expiresAt: Date.now() - 3_600_000 };
    app.clock.advance(3_600_000);
    const left = causeway.connect.open(late, { via: 'socket', show: () => undefined });
    await expect(left).resolves.toMatchObject({ status: 'exit', reason: 'expired' });
  });

  it('listens to a topic from the message after the given lastMessageId', async () => {
    const opened = await link('continued');
    const browser = new PageBrowser();
    await decide(opened.url, 'deny', browser);
    await decide(opened.url, 'allow', browser);
    const all: TopicMessage[] = [];
    for await (const message of causeway.connect.listen(opened.idem)) {
      all.push(message);
      if (message.body.success === true) break;
    }
    expect(all).toHaveLength(2);
    const [first, second] = all;
    for await (const message of causeway.connect.listen(opened.idem, { lastMessageId: first?.messageId })) {
      expect(message).toEqual(second);
      break;
    }
  });
});
