import type { BenchProcess } from './bench-process.js';
import { postJson } from './http.js';
import { inParallel } from './in-parallel.js';
import type { Headers, BenchEnvironment } from './environment.js';

const AT_ONCE = 8;
/** About as many assets as a person's account has. */
const BALANCES = { BTC: '1.5', ETH: '20', SOL: '300', XRP: '4000', USD: '5000', USDT: '6000' };

export interface ConnectedWallet {
  walletId: string;
  /** Account id at the sandbox exchange. */
  accountId: string;
  apiKey: string;
  apiSecret: string;
}

/** Opens accounts at the sandbox exchange and connects them through the API. */
export async function connectWallets(
  environment: BenchEnvironment,
  api: BenchProcess,
  project: Headers,
  count: number,
): Promise<ConnectedWallet[]> {
  const { accounts } = await postJson<{ accounts: Omit<ConnectedWallet, 'walletId'>[] }>(
    `${environment.sandbox.baseUrl}/control/accounts/bulk`,
    { count, balances: BALANCES },
  );
  const wallets = accounts.map((account, index) => ({ walletId: `wallet-${index + 1}`, ...account }));
  await inParallel(wallets, AT_ONCE, async ({ walletId, apiKey, apiSecret }) => {
    const headers = { ...project, 'x-svc-wallet-id': walletId };
    await postJson(`${api.baseUrl}/v0/wallet/kraken/connect`, { apiKey, apiSecret }, headers);
  });
  return wallets;
}
