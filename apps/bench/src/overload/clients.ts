import type { BenchProcess } from '../environment/bench-process.js';
import { postJson } from '../environment/http.js';
import type { Headers, BenchEnvironment } from '../environment/environment.js';

const PREPARED_AT_ONCE = 4;
const BALANCES = { BTC: '100', USD: '100000' };

/** One wallet in its own project. */
export interface Client {
  headers: Headers;
  /** A withdrawal address that the account at the sandbox exchange has saved. */
  bitcoinAddress: string;
}

/** A quote that can be executed once. */
export interface PreparedQuote {
  id: string;
  client: Client;
}

interface SandboxAccount {
  apiKey: string;
  apiSecret: string;
  withdrawalAddresses: { asset: string; method: string; address: string }[];
}

export async function connectClient(environment: BenchEnvironment, api: BenchProcess): Promise<Client> {
  const project = await environment.createProject(api);
  const control = `${environment.sandbox.baseUrl}/control/accounts`;
  const { apiKey, apiSecret, withdrawalAddresses } = await postJson<SandboxAccount>(control, { balances: BALANCES });
  const headers = { ...project, 'x-svc-wallet-id': 'wallet' };
  await postJson(`${api.baseUrl}/v0/wallet/kraken/connect`, { apiKey, apiSecret }, headers);
  const saved = withdrawalAddresses.find(({ asset, method }) => asset === 'BTC' && method === 'Bitcoin');
  if (saved === undefined) throw new Error('the account has no saved address for BTC');
  return { headers, bitcoinAddress: saved.address };
}

/** Creates quotes for all clients alternately, each with a different amount. */
export async function prepareQuotes(api: BenchProcess, clients: Client[], count: number): Promise<PreparedQuote[]> {
  const quotes: PreparedQuote[] = [];
  let next = 0;
  const prepare = async (): Promise<void> => {
    while (next < count) {
      const index = next++;
      const client = clients[index % clients.length];
      const amount = `0.001${String(index).padStart(5, '0')}`;
      const order = { asset: 'BTC', network: 'bitcoin', amount, address: client.bitcoinAddress };
      const { id } = await postJson<{ id: string }>(`${api.baseUrl}/v0/wallet/withdraw/quote`, order, client.headers);
      quotes.push({ id, client });
    }
  };
  await Promise.all(Array.from({ length: PREPARED_AT_ONCE }, prepare));
  return quotes;
}
