import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:http';
import axe from 'axe-core';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { browserSettings } from '#platform/testing';
import { ADMIN_TOKEN, TestApp, type TestAppOptions, type TestProjectWithClient } from '../support/test-app.js';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** The time limit of every browser action, long enough for a busy machine. */
const DEADLINE_MS = 60_000;
const PHONE = { width: 320, height: 640 };

/** Stands for a link without an exchange: the person chooses the exchange on the page. */
export const CHOICE = 'choice';

interface AttemptOptions {
  exchange?: string;
  walletId?: string;
  access?: string;
  way?: string;
  returnUrl?: string;
  origin?: string;
}

/** One connect session, as the application sees it. */
export interface Attempt {
  url: string;
  idem: string;
  walletId: string;
  exchange: string;
}

/**
 * The harness of the browser tests: the API, the sandbox exchange, an application that connects its users, and
 * browsers.
 */
export class BrowserHarness {
  private count = 0;
  private readonly contexts: BrowserContext[] = [];

  private constructor(
    readonly app: TestApp,
    readonly project: TestProjectWithClient,
    private readonly browser: Browser,
    /** Pages of the application, at an origin that it has registered. */
    readonly application: ApplicationPages,
    /** Pages of another site. */
    readonly stranger: ApplicationPages,
  ) {}

  static async start(options: TestAppOptions = {}): Promise<BrowserHarness> {
    const app = await TestApp.create({ ...options, env: { CONNECT_VISITS_PER_MINUTE: '100000', ...options.env } });
    const { executablePath } = browserSettings();
    const browser = await chromium.launch({ executablePath, args: FLAGS });
    const [application, stranger] = [await ApplicationPages.start(), await ApplicationPages.start()];
    const project = await app.project();
    const { status } = await app.http
      .with({ authorization: `Bearer ${ADMIN_TOKEN}` })
      .put(`/v0/admin/projects/${project.projectId}/connect`, {
        body: {
          browserConnects: false,
          origins: [application.origin],
          returnUrls: [`${application.origin}/back`],
        },
      });
    if (status !== 200) throw new Error(`the project allows nothing: ${status}`);
    return new BrowserHarness(app, project, browser, application, stranger);
  }

  /** Requests a link, as the application does. */
  async begin(options: AttemptOptions = {}): Promise<Attempt> {
    const { exchange = 'kraken', walletId = `wallet-${++this.count}`, ...query } = options;
    const idem = `attempt-of-a-browser-${++this.count}`;
    const { status, body } = await this.project.http
      .with({ 'x-svc-wallet-id': walletId })
      .get<{ url: string }>(`/v0/oauth2/${exchange === CHOICE ? '' : `${exchange}/`}url`, {
        query: { idem, access: 'read', ...query },
      });
    if (status !== 200) throw new Error(`no link: ${status} ${JSON.stringify(body)}`);
    return { url: body.url, idem, walletId, exchange };
  }

  async setAppearance(appearance: {
    displayName: string | null;
    color: string | null;
    logoUrl: string | null;
  }): Promise<void> {
    const { status } = await this.app.http
      .with({ authorization: `Bearer ${ADMIN_TOKEN}` })
      .put(`/v0/admin/projects/${this.project.projectId}/connect`, {
        body: { browserConnects: false, origins: [this.application.origin], returnUrls: [], ...appearance },
      });
    if (status !== 200) throw new Error(`the API refused the appearance of the project: ${status}`);
  }

  /** Returns the status that the application reads. */
  async statusOf({ idem }: Attempt): Promise<Record<string, unknown>> {
    const query = { idem, orgId: this.project.organizationId };
    return (await this.app.http.get('/v0/oauth2/status', { query })).body;
  }

  /** Returns the wallet as the application reads it, or null. */
  async walletOf({ walletId }: Attempt): Promise<Record<string, unknown> | null> {
    const { status, body } = await this.project.http.with({ 'x-svc-wallet-id': walletId }).get('/v0/wallet');
    return status === 200 ? body : null;
  }

  /** Opens a new browser context without cookies. */
  async openPage(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.browser.newContext({ reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(DEADLINE_MS);
    this.contexts.push(context);
    return await context.newPage();
  }

  /** Closes the browsers of one test. */
  async leave(): Promise<void> {
    await Promise.all(this.contexts.splice(0).map((context) => context.close()));
  }

  async close(): Promise<void> {
    await this.leave();
    await this.browser.close();
    await Promise.all([this.application.close(), this.stranger.close(), this.app.close()]);
  }
}

/**
 * Returns the accessibility errors that axe finds in light mode, in dark mode and on a narrow phone, and content that
 * is wider than the screen. Takes screenshots as well.
 */
export async function faultsOf(page: Page, name: string): Promise<string[]> {
  const size = page.viewportSize() ?? PHONE;
  const faults: string[] = [];
  await page.evaluate(axe.source);
  for (const look of ['light', 'dark', 'phone'] as const) {
    await page.emulateMedia({ colorScheme: look === 'dark' ? 'dark' : 'light' });
    await page.setViewportSize(look === 'phone' ? PHONE : size);
    await takePicture(page, `${name}-${look}`);
    // Dark mode changes only colours, so only the colour rules run again.
    const rules = look === 'dark' ? `runOnly: ['color-contrast', 'link-in-text-block'],` : '';
    // The details of the rules that a page keeps would take most of the time.
    const violations = await page.evaluate<axe.Result[]>(
      `axe.run(document, { ${rules} resultTypes: ['violations'] }).then(({ violations }) => violations)`,
    );
    faults.push(...violations.map(({ id, nodes }) => `${look}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`));
    const excess = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    if (excess > 0) faults.push(`${look}: ${excess} pixels wider than the screen`);
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(size);
  return faults;
}

export async function takePicture(page: Page, name: string): Promise<void> {
  const { screenshotsDir } = browserSettings();
  if (screenshotsDir === null) return;
  await mkdir(screenshotsDir, { recursive: true });
  await page.screenshot({ path: join(screenshotsDir, `${name}.png`), fullPage: true });
}

/** A site that opens popups and records the messages that they send; users return to it from the connect page. */
export class ApplicationPages {
  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(): Promise<ApplicationPages> {
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(`<!doctype html><title>Application</title><h1>Application</h1>
        <script>
          const heard = [];
          addEventListener('message', ({ data, origin }) => heard.push({ data, origin }));
        </script>`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new ApplicationPages(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
