import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { projectRoot } from '#platform/testing';
import { Shop } from '../../../../examples/shop/shop.js';
import { causewayOf } from '../support/causeway-client.js';
import { PartnerSandbox, type PartnerWallet } from '../support/partner-sandbox.js';
import { BrowserHarness, faultsOf } from './browser-harness.js';
import { allow, press, seen } from './steps.js';

const SETTLE_STEP_MS = 5_000;
const TOTP_STEP_MS = 30_000;
/** Time limit of a test with many steps, while other test files may keep all cores busy. */
const JOURNEY_TIMEOUT_MS = 300_000;

/** The link component and the example, as a customer of the shop uses them. */
describe('the example application with the link component', () => {
  let harness: BrowserHarness;
  let partner: PartnerSandbox;
  const shops: Shop[] = [];
  const servers: Server[] = [];

  beforeAll(async () => {
    harness = await BrowserHarness.start({ worker: true });
    partner = new PartnerSandbox(harness.app, harness.project);
  });
  afterEach(async () => {
    await harness.leave();
    await Promise.all(shops.splice(0).map((shop) => shop.close()));
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });
  afterAll(() => harness.close());

  /** Opens the shop for a customer who has an account with two verifications at the exchange. */
  async function visit(walletId: string): Promise<{ page: Page; owner: PartnerWallet }> {
    const owner = await partner.wallet({ mode: 'step_by_step', methods: ['GOOGLE', 'EMAIL'], relation: 'AND' });
    const send = (url: string, init?: RequestInit): Promise<Response> => {
      if (url.includes('/transaction/')) harness.app.clock.advance(SETTLE_STEP_MS);
      return fetch(url, init);
    };
    const address = owner.account.addresses['BTC']?.['bitcoin'] ?? '';
    const causeway = causewayOf(harness.app, harness.project, { fetch: send as typeof fetch });
    const shop = await Shop.start({ causeway, exchange: 'sandbox', walletId, address, port: 0, root: projectRoot });
    shops.push(shop);
    const page = await harness.openPage();
    await page.goto(shop.url);
    return { page, owner };
  }

  /** Starts a server with these pages, because Chromium does not let a page without an address call this machine. */
  async function serve(pages: Record<string, () => Promise<string>>): Promise<string> {
    const server = createServer((request, response) => {
      response.setHeader('content-type', 'text/html');
      const page = pages[request.url ?? ''] ?? (() => Promise.resolve(''));
      void page().then((text) => response.end(text));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  async function openPopup(page: Page): Promise<Page> {
    const opening = page.waitForEvent('popup');
    await press(page, 'Connect your exchange account');
    const popup = await opening;
    await seen(popup, /Connect your/);
    return popup;
  }

  it(
    'connects an account, shows the balance, and withdraws with two codes',
    async () => {
      const { page, owner } = await visit('customer-1');
      const popup = await openPopup(page);
      await press(popup, /Sign in at/);
      const closed = popup.waitForEvent('close');
      await allow(popup, owner.account.accountId.slice(0, 8));
      await closed;
      await page.getByRole('row', { name: 'BTC 5' }).waitFor();
      expect(await page.getByRole('button', { name: 'Connect your exchange account' }).isVisible()).toBe(false);
      expect(await faultsOf(page, 'shop-connected')).toEqual([]);

      await press(page, 'Withdraw');
      await page.getByLabel('Code from your email').waitFor();
      expect(await faultsOf(page, 'shop-codes')).toEqual([]);
      harness.app.clock.advance(TOTP_STEP_MS);
      const timestamp = harness.app.clock.now().getTime();
      const twofa = new TOTP({ secret: owner.account.totpSecret ?? '' }).generate({ timestamp });
      await page.getByLabel('Code of your authenticator').fill(twofa);
      await page.getByLabel('Code from your email').fill('000000');
      await press(page, 'Send the codes');
      // The page asks again only for the wrong code.
      await page.getByText('That code was wrong').waitFor();
      expect(await page.getByLabel('Code of your authenticator').count()).toBe(0);
      await page.getByLabel('Code from your email').fill(await partner.code(owner, 'email'));
      await press(page, 'Send the codes');
      await page.getByText('The withdrawal has arrived.').waitFor();
      await page.getByRole('row', { name: /BTC 4\.99/ }).waitFor();
      expect(await harness.app.sandbox.withdrawals(owner.account)).toHaveLength(1);
    },
    JOURNEY_TIMEOUT_MS,
  );

  it('never sends the API key to the page', async () => {
    const { page } = await visit('customer-2');
    const received = await page.evaluate<string>(`(async () => {
      const paths = ['/', '/page.js', '/causeway-link.js', '/balance'];
      const responses = [...paths.map((path) => fetch(path)), fetch('/connect', { method: 'POST' })];
      return (await Promise.all(responses.map(async (response) => (await response).text()))).join();
    })()`);
    expect(received).toContain('/connect/');
    expect(received).not.toContain(harness.project.apiKey);
  });

  it('informs the page when the person closes the popup, and connects at the next click', async () => {
    const { page, owner } = await visit('customer-3');
    const events = await page.evaluateHandle(`
      const seen = [];
      document.querySelector('causeway-link').addEventListener('event', ({ detail }) => seen.push(detail.name));
      seen`);
    await (await openPopup(page)).close();
    await page.getByText('You closed the window.').waitFor();
    const popup = await openPopup(page);
    await press(popup, /Sign in at/);
    await allow(popup, owner.account.accountId.slice(0, 8));
    await page.getByRole('row', { name: 'BTC 5' }).waitFor();
    expect(await events.jsonValue()).toEqual(['open', 'exit', 'open', 'message', 'connected']);
  });

  it('reports the outcome of a redirect, and removes its parameters from the URL', async () => {
    const walletId = 'customer-4';
    const returnUrl = `${harness.application.origin}/back`;
    const causeway = causewayOf(harness.app, harness.project);
    const page = await harness.openPage();
    await page.route(`${harness.application.origin}/**`, async (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname === '/connect')
        await route.fulfill({ json: await causeway.connect.link({ exchange: 'kraken', walletId, returnUrl }) });
      else await route.fulfill({ contentType: 'text/html', body: REDIRECTING });
    });
    await page.goto(`${harness.application.origin}/`);
    await page.addScriptTag({ path: join(projectRoot, 'clients/link/dist/causeway-link.js'), type: 'module' });
    await press(page, 'Connect');
    await press(page, 'Sign in at Kraken');
    await allow(page);
    await page.waitForURL(`${returnUrl}?**`);
    await page.addScriptTag({ path: join(projectRoot, 'clients/link/dist/causeway-link.js'), type: 'module' });
    await page.waitForFunction('heard.length > 0');
    expect(await page.evaluate('heard')).toEqual([{ walletId, exchange: 'kraken' }]);
    expect(page.url()).toBe(returnUrl);
  });

  it('calls handlers that were set before the component was loaded, and keeps working when a handler throws', async () => {
    const page = await harness.openPage();
    await page.goto(await serve({ '/': () => Promise.resolve(LOADED_LATER) }));
    await page.addScriptTag({ path: join(projectRoot, 'clients/link/dist/causeway-link.js'), type: 'module' });
    for (const count of [1, 2]) {
      await press(page, 'Connect');
      await page.waitForFunction(`heard.length === ${count}`);
    }
    expect(await page.evaluate('heard')).toEqual(['no link today', 'no link today']);
  });

  it('connects an account with the React component', async () => {
    const { outputFiles } = await build({
      stdin: { contents: REACT_PAGE, resolveDir: projectRoot, loader: 'js' },
      bundle: true,
      write: false,
      format: 'esm',
      define: { 'process.env.NODE_ENV': '"production"' },
    });
    const causeway = causewayOf(harness.app, harness.project);
    const input = { exchange: 'kraken', walletId: 'customer-5', access: 'read' };
    const url = await serve({
      '/': () => Promise.resolve('<!doctype html><title>React</title><main></main>'),
      '/connect': async () => JSON.stringify(await causeway.connect.link(input)),
    });
    const page = await harness.openPage();
    await page.goto(url);
    await page.addScriptTag({ content: outputFiles[0]?.text ?? '', type: 'module' });
    const opening = page.waitForEvent('popup');
    await press(page, 'Connect with React');
    const popup = await opening;
    await press(popup, 'Sign in at Kraken');
    await allow(popup);
    await page.getByText('connected customer-5').waitFor();
  });
});

const REDIRECTING = `<!doctype html><title>Redirecting</title>
  <causeway-link mode="redirect" src="/connect">Connect</causeway-link>
  <script>
    const heard = [];
    document.querySelector('causeway-link').addEventListener('connected', ({ detail }) => heard.push(detail));
  </script>`;

const LOADED_LATER = `<!doctype html><title>Loaded later</title>
  <causeway-link>Connect</causeway-link>
  <script>
    const heard = [];
    const link = document.querySelector('causeway-link');
    link.getLink = () => {
      throw new Error('no link today');
    };
    link.onExit = ({ message }) => {
      heard.push(message);
      throw new Error('a fault of the page');
    };
  </script>`;

const REACT_PAGE = `
  import { createElement, useState } from 'react';
  import { createRoot } from 'react-dom/client';
  import { CausewayLinkButton } from './clients/link/src/react.ts';

  const getLink = async () => (await fetch('/connect', { method: 'POST' })).json();
  function Page() {
    const [text, setText] = useState('');
    const onConnected = ({ walletId }) => setText('connected ' + walletId);
    const button = createElement(CausewayLinkButton, { getLink, onConnected }, 'Connect with React');
    return createElement('div', null, button, text);
  }
  createRoot(document.querySelector('main')).render(createElement(Page));
`;
