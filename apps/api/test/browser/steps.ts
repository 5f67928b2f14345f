import type { Page } from 'playwright-core';

/** Logs in at the sandbox exchange, as the account owner does. */
export async function logIn(page: Page, account?: string): Promise<void> {
  if (account !== undefined) await page.getByLabel(account).check();
  await page.getByLabel('Password').fill('sandbox');
  await page.getByRole('button', { name: 'Log in' }).click();
}

export async function allow(page: Page, account?: string): Promise<void> {
  await logIn(page, account);
  await page.getByRole('button', { name: 'Allow' }).click();
}

export async function deny(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Cancel' }).click();
}

/** Waits for the page with this heading. */
export async function seen(page: Page, heading: string | RegExp): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
}

export async function press(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name }).click();
}

/** Enters a key into the form and submits it. */
export async function pasteKey(
  page: Page,
  { apiKey, apiSecret }: { apiKey: string; apiSecret: string },
): Promise<void> {
  await page.getByLabel('API key', { exact: true }).fill(apiKey);
  await page.getByLabel('Private key').fill(apiSecret);
  await press(page, 'Connect');
}
