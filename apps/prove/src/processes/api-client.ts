import { randomUUID } from 'node:crypto';
import { scopes } from '#access';
import type { ExchangeAccount, ExchangeControl } from './installation/exchange-control.js';
import { until } from './until.js';

const TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 20_000;

/** The response to one call, or the reason why there was none. */
export type Reply = { from: string; status: number; body: unknown } | { from: string; failure: string };

export type Headers = Readonly<Record<string, string>>;

interface ApiCall {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  headers: Headers;
  body?: object;
}

/** Makes one call of the API, as any client does. */
export async function call(address: string, { method, path, headers, body }: ApiCall): Promise<Reply> {
  try {
    const answer = await fetch(address + path, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { from: address, status: answer.status, body: JSON.parse(await answer.text()) as unknown };
  } catch (error) {
    return { from: address, failure: String(error instanceof Error ? (error.cause ?? error) : error) };
  }
}

/** Returns the body of a call that must succeed, because no fault is active at that time. */
async function expected<T>(reply: Promise<Reply>): Promise<T> {
  const got = await reply;
  if ('failure' in got || got.status >= 300)
    throw new Error(`the API did not answer with a success: ${JSON.stringify(got)}`);
  return got.body as T;
}

/** Creates a test project with an API key that has all scopes. @returns the headers of calls with this key. */
export async function createProject(address: string, adminToken: string): Promise<Headers> {
  const admin = { authorization: `Bearer ${adminToken}` };
  const post = <T>(path: string, body: object): Promise<T> =>
    expected<T>(call(address, { method: 'POST', path, headers: admin, body }));
  const organization = await post<{ id: string }>('/v0/admin/organizations', { name: 'Prove' });
  const project = await post<{ id: string }>(`/v0/admin/organizations/${organization.id}/projects`, {
    name: 'Prove',
    mode: 'test',
  });
  const { key } = await post<{ key: string }>(`/v0/admin/projects/${project.id}/api-keys`, { name: 'prove', scopes });
  return { 'x-svc-api-key': key, 'x-svc-org-id': organization.id, 'x-svc-project-id': project.id };
}

/** Connects an account as a new wallet. @returns the headers of all calls for this wallet. */
export async function connectWallet(
  address: string,
  project: Headers,
  id: string,
  { account, control }: { account: ExchangeAccount; control: ExchangeControl },
): Promise<Headers> {
  const headers = { ...project, 'x-svc-wallet-id': id };
  const { exchange } = control;
  if (exchange.connectBy === 'consent') {
    await connectByConsent(address, headers, { account, control });
    return headers;
  }
  const { apiKey, apiSecret } = account;
  const key = { apiKey, apiSecret, apiPassphrase: exchange.passphrase };
  const path = `/v0/wallet/${exchange.id}/connect`;
  const connected = until('the wallet is connected', CONNECT_TIMEOUT_MS, async () => {
    const reply = await call(address, { method: 'POST', path, headers, body: key });
    // On a busy machine, the exchange may respond only after EXCHANGE_TIMEOUT_MS.
    return 'status' in reply && reply.status === 502 ? null : reply;
  });
  await expected(connected);
  return headers;
}

/** Goes through the pages of the service and of the exchange, as the owner's browser does. */
async function connectByConsent(
  address: string,
  headers: Headers,
  { account, control }: { account: ExchangeAccount; control: ExchangeControl },
): Promise<void> {
  const query = `idem=${randomUUID()}&access=read,withdrawal`;
  const link = await expected<{ url: string }>(
    call(address, { method: 'GET', path: `/v0/oauth2/${control.exchange.id}/url?${query}`, headers }),
  );
  const here = (url: string): string => address + url.slice(new URL(url).origin.length);
  const page = await fetch(`${here(link.url)}/oauth`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams(),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await page.text();
  const url = /content="0; ?url=([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  if (url === undefined)
    throw new Error(`the page of the service did not lead to the exchange: ${page.status} ${text}`);
  const cookie = page.headers.getSetCookie().map((line) => line.split(';', 1)[0]);
  const back = await fetch(here(await control.allow(url, account)), {
    headers: { cookie: cookie.join('; ') },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (back.status >= 400) throw new Error(`the account was not connected: ${back.status} ${await back.text()}`);
}

export interface QuoteRequest {
  asset: string;
  network: string;
  address: string;
  amount: string;
}

export interface Quote {
  id: string;
  exact: { amountNoFee: string };
}

export function createQuote(address: string, wallet: Headers, request: QuoteRequest): Promise<Quote> {
  return expected(call(address, { method: 'POST', path: '/v0/wallet/withdraw/quote', headers: wallet, body: request }));
}

/** @param code that the owner got from the exchange; null = none. */
export function execute(address: string, wallet: Headers, quoteId: string, code: string | null = null): Promise<Reply> {
  const body = code === null ? {} : { twofa: code };
  return call(address, { method: 'PUT', path: `/v0/wallet/withdraw/${quoteId}/execute`, headers: wallet, body });
}

export interface OrderRequest {
  routeId: string;
  volume: string;
  price?: string;
  type?: 'market';
}

/** @param key the Idempotency-Key of the request */
export function placeOrder(address: string, wallet: Headers, request: OrderRequest, key: string): Promise<Reply> {
  const headers = { ...wallet, 'idempotency-key': key };
  return call(address, { method: 'POST', path: '/v0/wallet/trade/order', headers, body: request });
}
