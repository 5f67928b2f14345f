import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { scopes } from '#access';
import type { ExchangeSpec } from '#exchange';
import { DAY_MS } from '#platform/clock';
import { ApiClient, controlSandbox, headersOf, type Caller, type Credentials } from './api-client.js';
import { DEMO_EXCHANGE } from './demo-exchange.js';
import { connectExchangeWallets, type Addresses, type ExchangeWallet } from './exchange-wallets.js';
import { writePrivate, type Secrets } from './secrets.js';
import type { Settings } from './settings.js';

const WALLET_ID = 'demo-wallet';
const SANDBOX_WALLET_ID = 'demo-sandbox-wallet';
const OWN_WALLET_ID = 'my-wallet';
/** Opening balances of each demo account at the sandbox exchange. */
const FUNDS = {
  BTC: '5',
  ETH: '80',
  SOL: '500',
  XRP: '20000',
  XLM: '50000',
  DOGE: '100000',
  USDT: '25000',
  USDC: '25000',
  USD: '10000',
};

/** The numbers of past deposits and withdrawals of each demo account, and the days over which they are spread. */
const HISTORY = { deposits: 16, withdrawals: 11 };
const HISTORY_DAYS = 150;

/** File names in the data folder. */
export const DEMO_FILE = 'demo.json';
export const CURL_FILE = 'demo.curlrc';
export const SANDBOX_CURL_FILE = 'demo-sandbox.curlrc';
export const OWN_CURL_FILE = 'my-wallet.curlrc';
export const LIVE_CURL_FILE = 'live.curlrc';

/** `.local/demo.json`: everything that a client of the demo needs. */
export interface Demo extends Credentials {
  baseUrl: string;
  docsUrl: string;
  /** URL of the public prices in US dollars. */
  tickersUrl: string;
  walletId: string;
  /** For each asset and network, an address that the demo account can withdraw to. */
  addresses: Addresses;
  sandboxUrl: string;
  sandboxAccount: { apiKey: string; apiSecret: string };
  /** A wallet whose withdrawals require an authenticator code and a code sent by email, at the exchange `sandbox`. */
  sandboxWallet: {
    walletId: string;
    addresses: Addresses;
    /** Base32 secret of the authenticator. */
    totpSecret: string;
    /** The page on which the sandbox exchange shows the codes that it has sent. */
    inboxUrl: string;
  };
  /** A wallet that is not connected yet, for trying the connect page. */
  ownWallet: { walletId: string };
  /** Further wallets, by the option --exchanges. */
  exchangeWallets: ExchangeWallet[];
  /** A live project without wallets. */
  live: Credentials;
}

interface SavedAddress {
  asset: string;
  method: string;
  address: string;
}

/** Creates the demo organization, projects, keys, exchange accounts and wallets, unless they exist. */
export async function prepareDemo(
  settings: Settings,
  secrets: Secrets,
  exchanges: readonly ExchangeSpec[],
): Promise<Demo> {
  const baseUrl = `http://${settings.host}:${settings.port}`;
  const sandboxUrl = `http://${settings.host}:${settings.sandboxPort}`;
  const api = new ApiClient(baseUrl);
  const file = path.join(settings.dataDir, DEMO_FILE);
  const { key, live } = (await earlierKeys(api, file)) ?? (await issueKeys(api, secrets.adminToken));
  const saved = await openAccount(sandboxUrl, secrets);
  const wallet = { ...key, walletId: WALLET_ID };
  await api.call('POST', `/v0/wallet/${DEMO_EXCHANGE}/connect`, wallet, secrets.sandboxAccount);
  const totpSecret = await openPartnerAccount(sandboxUrl, secrets);
  const sandboxWallet = { ...key, walletId: SANDBOX_WALLET_ID };
  await api.call('POST', '/v0/wallet/sandbox/connect', sandboxWallet, { apiKey: secrets.sandboxToken });
  const addresses = await addressesByNetwork(api, wallet, saved);
  const demo: Demo = {
    baseUrl,
    docsUrl: `${baseUrl}/docs`,
    tickersUrl: `${baseUrl}/v0/market/${DEMO_EXCHANGE}/tickers`,
    ...wallet,
    addresses,
    sandboxUrl,
    sandboxAccount: secrets.sandboxAccount,
    sandboxWallet: {
      walletId: SANDBOX_WALLET_ID,
      addresses: await addressesByNetwork(api, sandboxWallet, saved),
      totpSecret,
      inboxUrl: `${sandboxUrl}/`,
    },
    ownWallet: { walletId: OWN_WALLET_ID },
    exchangeWallets: await connectExchangeWallets(api, { key, sandboxUrl, balances: FUNDS, addresses }, exchanges),
    live,
  };
  writePrivate(file, `${JSON.stringify(demo, null, 2)}\n`);
  writePrivate(path.join(settings.dataDir, CURL_FILE), curlConfig(wallet));
  writePrivate(path.join(settings.dataDir, SANDBOX_CURL_FILE), curlConfig(sandboxWallet));
  writePrivate(path.join(settings.dataDir, OWN_CURL_FILE), curlConfig({ ...key, ...demo.ownWallet }));
  writePrivate(path.join(settings.dataDir, LIVE_CURL_FILE), curlConfig(live));
  for (const { walletId, curlFile } of demo.exchangeWallets) {
    writePrivate(path.join(settings.dataDir, curlFile), curlConfig({ ...key, walletId }));
  }
  return demo;
}

/**
 * Reads the keys of an earlier start, because the API shows a key only once. Returns null when the database does not
 * contain them.
 */
async function earlierKeys(api: ApiClient, file: string): Promise<{ key: Credentials; live: Credentials } | null> {
  if (!existsSync(file)) return null;
  const { orgId, projectId, apiKey, live } = JSON.parse(readFileSync(file, 'utf8')) as Demo;
  const key = { orgId, projectId, apiKey };
  for (const credentials of [key, live]) {
    if (!(await api.accepts(credentials))) return null;
  }
  return { key, live };
}

async function issueKeys(api: ApiClient, adminToken: string): Promise<{ key: Credentials; live: Credentials }> {
  const admin = <T>(path: string, body: object): Promise<T> => api.admin<T>(adminToken, path, body);
  const { id: orgId } = await admin<{ id: string }>('/v0/admin/organizations', { name: 'Demo' });
  const issue = async (mode: 'test' | 'live'): Promise<Credentials> => {
    const project = { name: `Demo ${mode}`, mode };
    const { id: projectId } = await admin<{ id: string }>(`/v0/admin/organizations/${orgId}/projects`, project);
    const request = { name: 'demo', scopes };
    const { key } = await admin<{ key: string }>(`/v0/admin/projects/${projectId}/api-keys`, request);
    return { orgId, projectId, apiKey: key };
  };
  return { key: await issue('test'), live: await issue('live') };
}

async function openAccount(sandboxUrl: string, { sandboxAccount }: Secrets): Promise<SavedAddress[]> {
  const account = { name: 'demo', balances: FUNDS, ...sandboxAccount };
  const { accountId, withdrawalAddresses } = await controlSandbox<{
    accountId: string;
    withdrawalAddresses: SavedAddress[];
  }>('POST', `${sandboxUrl}/control/accounts`, account);
  await createHistory(`${sandboxUrl}/control/accounts/${accountId}`);
  return withdrawalAddresses;
}

/** @returns the secret of the account's authenticator */
async function openPartnerAccount(sandboxUrl: string, { sandboxToken: token }: Secrets): Promise<string> {
  const verification = { mode: 'step_by_step', methods: ['GOOGLE', 'EMAIL'], relation: 'AND' };
  const account = { name: 'demo (partner API)', balances: FUNDS, token, verification };
  const { accountId, totpSecret } = await controlSandbox<{ accountId: string; totpSecret: string }>(
    'POST',
    `${sandboxUrl}/control/partner/accounts`,
    account,
  );
  await createHistory(`${sandboxUrl}/control/accounts/${accountId}`);
  return totpSecret;
}

/** Creates a history, unless the account has deposits or withdrawals. */
async function createHistory(accountUrl: string): Promise<void> {
  const { deposits, withdrawals } = await controlSandbox<{ deposits: object[]; withdrawals: object[] }>(
    'GET',
    `${accountUrl}/ledger`,
  );
  if (deposits.length + withdrawals.length > 0) return;
  const yesterday = Date.now() - DAY_MS;
  await controlSandbox('POST', `${accountUrl}/history`, {
    ...HISTORY,
    from: yesterday - HISTORY_DAYS * DAY_MS,
    to: yesterday,
  });
}

/**
 * Returns the saved addresses by asset and our network id. A saved address has the exchange's name of its network; the
 * balance endpoint returns this name and our id.
 */
async function addressesByNetwork(api: ApiClient, wallet: Caller, saved: SavedAddress[]): Promise<Addresses> {
  interface Balances {
    balances: { asset: string; networks: { id: string; displayName: string }[] }[];
  }
  const { balances } = await api.call<Balances>('GET', '/v0/wallet/withdraw/balance', wallet);
  const addresses: Addresses = {};
  for (const { asset, networks } of balances) {
    for (const { id, displayName } of networks) {
      const entry = saved.find((candidate) => candidate.asset === asset && candidate.method === displayName);
      if (entry !== undefined) (addresses[asset] ??= {})[id] = entry.address;
    }
  }
  return addresses;
}

/** Content of a file for `curl -K`: the headers of every call. */
function curlConfig(caller: Caller): string {
  const headers = { ...headersOf(caller), 'content-type': 'application/json' };
  const lines = Object.entries(headers).map(([name, value]) => `header = "${name}: ${value}"`);
  return `silent\nshow-error\nwrite-out = "\\n"\n${lines.join('\n')}\n`;
}
