import { randomUUID } from 'node:crypto';
import { exampleExchange, exchangeFacts, type ExchangeSpec } from '#exchange';
import type { ApiClient, Credentials } from './api-client.js';
import { Problem } from './problem.js';
import { controlSandbox } from './sandbox-control.js';

/** A demo wallet at an exchange that the sandbox exchange simulates. */
export interface ExchangeWallet {
  exchange: string;
  walletId: string;
  /** The file for `curl -K`, in the data folder. */
  curlFile: string;
  /** Whether the sandbox exchange simulates its withdrawals. */
  canWithdraw: boolean;
}

/** The passphrase of every key at the sandbox exchange. */
const PASSPHRASE = 'sandbox';
/** The control call that opens an account, for exchanges whose accounts are not those of most. */
const ACCOUNT_CALLS: Readonly<Record<string, string>> = { coinbase: 'coinbase/accounts' };

/** Keys of these exchanges begin with a fixed text. */
const KEY_PREFIXES: Readonly<Record<string, string>> = { gemini: 'account-' };

/** The exchanges of which every start has a wallet. */
const ALWAYS: readonly string[] = [exampleExchange.id, 'sandbox'];
const simulated: readonly ExchangeSpec[] = exchangeFacts
  .flatMap(({ spec }) => spec ?? [])
  .filter(({ id, hasSandbox }) => hasSandbox && !ALWAYS.includes(id));

/** Reads the option --exchanges: `all`, or ids separated by commas. @throws Problem */
export function readExchanges(option: string | undefined): readonly ExchangeSpec[] {
  if (option === undefined) return [];
  if (option === 'all') return simulated;
  return option.split(',').map((name) => {
    const spec = simulated.find(({ id }) => id === name.trim());
    if (spec !== undefined) return spec;
    throw new Problem(`--exchanges: use all, or some of ${simulated.map(({ id }) => id).join(', ')}`);
  });
}

function chosenKey(exchange: string): { apiKey?: string } {
  const prefix = KEY_PREFIXES[exchange];
  return prefix === undefined ? {} : { apiKey: `${prefix}${randomUUID()}` };
}

/** Connects one wallet of each exchange to an account of its own, unless it exists. */
export async function connectExchangeWallets(
  api: ApiClient,
  { key, sandboxUrl, balances }: { key: Credentials; sandboxUrl: string; balances: Record<string, string> },
  specs: readonly ExchangeSpec[],
): Promise<ExchangeWallet[]> {
  const wallets: ExchangeWallet[] = [];
  for (const { id, credentialFields, access } of specs) {
    const walletId = `demo-${id}`;
    const canWithdraw = access.includes('withdrawal');
    wallets.push({ exchange: id, walletId, curlFile: `${walletId}.curlrc`, canWithdraw });
    const caller = { ...key, walletId };
    if (await api.accepts(caller, '/v0/wallet')) continue;
    const account = await controlSandbox<{ apiKey: string; apiSecret: string }>(
      'POST',
      `${sandboxUrl}/control/${ACCOUNT_CALLS[id] ?? 'accounts'}`,
      { name: `demo (${id})`, balances, ...chosenKey(id) },
    );
    const { apiKey, apiSecret } = account;
    const passphrase = credentialFields.includes('apiPassphrase') ? { apiPassphrase: PASSPHRASE } : {};
    await api.call('POST', `/v0/wallet/${id}/connect`, caller, { apiKey, apiSecret, ...passphrase });
  }
  return wallets;
}
