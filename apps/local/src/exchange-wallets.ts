import { randomUUID } from 'node:crypto';
import type { ExchangeSpec } from '#exchange';
import { controlSandbox, type ApiClient, type Credentials } from './api-client.js';

/** A demo wallet at an exchange that the sandbox exchange simulates. */
export interface ExchangeWallet {
  exchange: string;
  walletId: string;
  /** The file for `curl -K`, in the data folder. */
  curlFile: string;
  /** A withdrawal that the account can make; null = the connector does not support withdrawals. */
  withdrawal: DemoWithdrawal | null;
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

/** The passphrase of every key at the sandbox exchange. */
const PASSPHRASE = 'sandbox';
/** The control call that opens an account, for exchanges that do not use the common call `accounts`. */
const ACCOUNT_CALLS: Readonly<Record<string, string>> = { coinbase: 'coinbase/accounts' };

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
    const withdrawal = spec.withdrawals === undefined ? null : await findWithdrawal(api, caller, addresses);
    wallets.push({ exchange: id, walletId, curlFile: `${walletId}.curlrc`, withdrawal });
  }
  return wallets;
}

async function connectNewAccount(
  api: ApiClient,
  { id, credentialFields }: ExchangeSpec,
  { caller, sandboxUrl, balances }: { caller: WalletCaller; sandboxUrl: string; balances: Record<string, string> },
): Promise<void> {
  const account = await controlSandbox<{ apiKey: string; apiSecret: string }>(
    'POST',
    `${sandboxUrl}/control/${ACCOUNT_CALLS[id] ?? 'accounts'}`,
    { name: `demo (${id})`, balances, ...chosenKey(id) },
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
