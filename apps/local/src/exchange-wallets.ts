import { randomUUID } from 'node:crypto';
import type { ExchangeSpec } from '#exchange';
import { controlSandbox, type ApiClient, type Credentials } from './api-client.js';

/** A demo wallet at an exchange that the sandbox exchange simulates. */
export interface ExchangeWallet {
  exchange: string;
  walletId: string;
  /** The file for `curl -K`, in the data folder. */
  curlFile: string;
  /** A withdrawal that the account can make; null = it cannot withdraw, or has no saved address on any network. */
  withdrawal: DemoWithdrawal | null;
  /** An order that the account can place; null = the exchange lists no pair for it. */
  order: DemoOrder | null;
  /** An asset and a network on which the account can receive; null = none of the example deposits is supported. */
  deposit: DemoDeposit | null;
}

export interface DemoOrder {
  routeId: string;
  volume: string;
  side: 'sell';
  /** Only for routes that accept no market orders. */
  price?: string;
}

export interface DemoDeposit {
  asset: string;
  network: string;
}

export interface DemoWithdrawal {
  asset: string;
  network: string;
  amount: string;
  address: string;
}

/** For each asset and network, an address that demo accounts can withdraw to. */
export type Addresses = Record<string, Record<string, string>>;

/** The asset and the amount of the example withdrawals that the launcher prints. */
const ASSET = 'BTC';
const AMOUNT = '0.01';
/** The quote assets of the example orders. The first one that the exchange trades is taken. */
const QUOTE_ASSETS = ['USD', 'USDC', 'USDT'];
/** A limit price below the market, so that a sell order is filled at once. */
const SELL_PRICE = '50000';
/** The example deposits. The first one that the exchange supports is taken. */
const DEPOSITS: readonly DemoDeposit[] = [
  { asset: 'ETH', network: 'arbitrum' },
  { asset: 'ETH', network: 'ethereum' },
  { asset: 'BTC', network: 'bitcoin' },
];

/** The passphrase of every key at the sandbox exchange. */
const PASSPHRASE = 'sandbox';
/** The control call that opens an account, for exchanges that do not use the common call `accounts`. */
const ACCOUNT_CALLS: Readonly<Record<string, string>> = { coinbase: 'coinbase/accounts' };

/** Accounts of the common call have this sub-account, which only some exchanges show to the key of the main account. */
const SUB_ACCOUNT = { otherAccounts: { 'sub-account savings': { BTC: '0.25' } } };

/** API keys of these exchanges begin with the given text. */
const KEY_PREFIXES: Readonly<Record<string, string>> = { gemini: 'account-' };

function chosenKey(exchange: string): { apiKey?: string } {
  const prefix = KEY_PREFIXES[exchange];
  return prefix === undefined ? {} : { apiKey: `${prefix}${randomUUID()}` };
}

type WalletCaller = Credentials & { walletId: string };

interface Balances {
  balances: { asset: string; networks: { id: string }[] }[];
}

interface TradableAssets {
  routes: { routeId: string; quoteAsset: string; orderTypes: string[] }[];
}

export interface DemoParts {
  key: Credentials;
  sandboxUrl: string;
  balances: Record<string, string>;
  /** The saved addresses with which every account at the sandbox exchange begins. */
  addresses: Addresses;
}

/** Connects one wallet of each exchange to a separate account, unless the wallet exists. */
export async function connectExchangeWallets(
  api: ApiClient,
  { key, sandboxUrl, balances, addresses }: DemoParts,
  specs: readonly ExchangeSpec[],
): Promise<ExchangeWallet[]> {
  const wallets: ExchangeWallet[] = [];
  for (const spec of specs) {
    const { id } = spec;
    const walletId = `demo-${id}`;
    const caller = { ...key, walletId };
    if (!(await api.accepts(caller, '/v0/wallet')))
      await connectNewAccount(api, spec, { caller, sandboxUrl, balances });
    wallets.push({
      exchange: id,
      walletId,
      curlFile: `${walletId}.curlrc`,
      withdrawal: spec.withdrawals === undefined ? null : await findWithdrawal(api, caller, addresses),
      order: await findOrder(api, caller),
      deposit: await findDeposit(api, caller),
    });
  }
  return wallets;
}

async function connectNewAccount(
  api: ApiClient,
  { id, credentialFields }: ExchangeSpec,
  { caller, sandboxUrl, balances }: { caller: WalletCaller; sandboxUrl: string; balances: Record<string, string> },
): Promise<void> {
  const ownCall = ACCOUNT_CALLS[id];
  const account = await controlSandbox<{ apiKey: string; apiSecret: string }>(
    'POST',
    `${sandboxUrl}/control/${ownCall ?? 'accounts'}`,
    { name: `demo (${id})`, balances, ...chosenKey(id), ...(ownCall === undefined && SUB_ACCOUNT) },
  );
  const { apiKey, apiSecret } = account;
  const passphrase = credentialFields.includes('apiPassphrase') ? { apiPassphrase: PASSPHRASE } : {};
  await api.call('POST', `/v0/wallet/${id}/connect`, caller, { apiKey, apiSecret, ...passphrase });
}

/** Finds a network on which the wallet can withdraw, because some exchanges offer withdrawals on few networks. */
async function findWithdrawal(
  api: ApiClient,
  caller: WalletCaller,
  addresses: Addresses,
): Promise<DemoWithdrawal | null> {
  const { balances } = await api.call<Balances>('GET', '/v0/wallet/withdraw/balance', caller);
  const networks = balances.find(({ asset }) => asset === ASSET)?.networks ?? [];
  for (const { id: network } of networks) {
    const address = addresses[ASSET]?.[network];
    if (address !== undefined) return { asset: ASSET, network, amount: AMOUNT, address };
  }
  return null;
}

async function findOrder(api: ApiClient, caller: WalletCaller): Promise<DemoOrder | null> {
  const path = `/v0/wallet/trade/tradable-assets?source=${ASSET}&destination=${QUOTE_ASSETS.join(',')}`;
  const { routes } = await api.call<TradableAssets>('GET', path, caller);
  for (const quoteAsset of QUOTE_ASSETS) {
    const route = routes.find((each) => each.quoteAsset === quoteAsset);
    if (route === undefined) continue;
    const { routeId, orderTypes } = route;
    const order: DemoOrder = { routeId, volume: AMOUNT, side: 'sell' };
    return orderTypes.includes('market') ? order : { ...order, price: SELL_PRICE };
  }
  return null;
}

async function findDeposit(api: ApiClient, caller: WalletCaller): Promise<DemoDeposit | null> {
  for (const deposit of DEPOSITS) {
    const { asset, network } = deposit;
    if (await api.accepts(caller, `/v0/wallet/deposit/address?asset=${asset}&network=${network}`)) return deposit;
  }
  return null;
}
