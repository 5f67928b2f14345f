import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { BrowserHarness, takePicture } from './browser-harness.js';
import { press } from './steps.js';

/** Opens the operation in Swagger UI, and returns its part of the page. */
async function open(page: Page, operation: string): Promise<Locator> {
  const block = page.locator(`#operations-${operation}`);
  await block.locator('.opblock-summary-control').click();
  return block;
}

/** Presses Execute once, and returns the status of the response. */
async function execute(block: Locator): Promise<string | null> {
  await block.getByRole('button', { name: 'Execute', exact: true }).click();
  return await block.locator('.live-responses-table tbody .response-col_status').first().textContent();
}

/** Returns the `idem` that the page has filled in for an open operation. */
function idemIn(block: Locator): Promise<string> {
  return block.locator('tr[data-param-name="idem"] input').inputValue();
}

/**
 * Uses Swagger UI as a new user of `npm start` does, on two visits of one page: Chromium needs seconds of CPU time to
 * show the page, and a second for each operation that is opened.
 */
describe('the documentation page', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'docs-'));
  const file = path.join(folder, 'demo.json');
  let harness: BrowserHarness;
  let page: Page;
  /** Opened before the credentials are filled in. */
  let getOutcome: Locator;
  /** The values that the page has filled in as `idem`, two for each visit. */
  const idems: string[] = [];

  beforeAll(async () => {
    harness = await BrowserHarness.start({ env: { DEMO_FILE: file } });
    page = await harness.openPage();
  });
  afterAll(async () => {
    await harness.close();
    rmSync(folder, { recursive: true });
  });

  describe('at the first visit', () => {
    it('fills in the demo credentials with one button, sends requests with them, and stores nothing in the browser', async () => {
      await page.goto(`${harness.app.url}/docs`);
      await page.getByText('List wallets').waitFor();
      expect(await page.title()).toBe('Causeway API');
      getOutcome = await open(page, 'Connecting-getOutcome');
      await press(page, 'Fill in the demo credentials');
      await page.getByText('The demo is not ready: try again in some seconds').waitFor();
      const { apiKey, organizationId: orgId, projectId } = harness.project;
      writeFileSync(file, JSON.stringify({ apiKey, orgId, projectId }));
      await press(page, 'The demo is not ready');
      await page.getByText('The demo credentials are filled in').waitFor();
      await takePicture(page, 'docs-demo');
      await page.getByText('List wallets').click();
      await page
        .locator('#operations-Wallets-listWallets')
        .getByRole('button', { name: 'Execute', exact: true })
        .click();
      await page.locator('.live-responses-table').getByText('"totalCount"').first().waitFor();
      await takePicture(page, 'docs-called');
      expect(await page.evaluate('localStorage.length + sessionStorage.length')).toBe(0);
    });

    it('fills in parameters with which the requests for balance and deposit address succeed', async () => {
      const account = await harness.app.sandbox.open();
      const { causeway } = harness.app.clientsOf(harness.project, 'demo-wallet');
      await causeway.connectWallet({ exchange: 'kraken', apiKey: account.apiKey, apiSecret: account.apiSecret });
      for (const operation of ['Withdrawals-getWithdrawalBalance', 'Deposits-getDepositAddress']) {
        expect([operation, await execute(await open(page, operation))]).toEqual([operation, '200']);
      }
    });

    it('fills in the organization where it is a parameter, so that getOutcome succeeds after createConnectUrl', async () => {
      const streamEvents = await open(page, 'Connecting-streamEvents');
      for (const block of [getOutcome, streamEvents]) {
        expect(await block.locator('tr[data-param-name="x-svc-org-id"] input').inputValue()).toBe(
          harness.project.organizationId,
        );
      }
      const createConnectUrl = await open(page, 'Connecting-createConnectUrl');
      for (const block of [createConnectUrl, getOutcome]) idems.push(await idemIn(block));
      expect(await execute(createConnectUrl)).toBe('200');
      expect(await execute(getOutcome)).toBe('200');
    });
  });

  describe('at the second visit', () => {
    it('has forgotten the credentials', async () => {
      await page.goto(`${harness.app.url}/docs`);
      await page.getByText('List wallets').waitFor();
      expect(await page.content()).not.toContain(harness.project.apiKey);
    });

    it('sends getTickers at the first press of Execute, with the exchange that it displays', async () => {
      const block = await open(page, 'Market-getTickers');
      expect(await block.locator('tr[data-param-name="exchange"] select').inputValue()).toBe('kraken');
      const request = page.waitForRequest(/\/v0\/market\//);
      await execute(block);
      expect((await request).url()).toBe(`${harness.app.url}/v0/market/kraken/tickers`);
    });

    it('fills in a new idem, the same for createConnectUrl and getOutcome', async () => {
      for (const operation of ['Connecting-createConnectUrl', 'Connecting-getOutcome']) {
        idems.push(await idemIn(await open(page, operation)));
      }
      expect(idems).toHaveLength(4);
      for (const idem of idems) expect(idem).toMatch(/^[0-9a-f]{32}$/);
      expect(idems[0]).toBe(idems[1]);
      expect(idems[2]).toBe(idems[3]);
      expect(idems[0]).not.toBe(idems[2]);
    });
  });
});
