import ccxt, { type Exchange } from 'ccxt';
import { answerOrders } from './environment/ccxt-process.js';
import type { ConnectedWallet } from './environment/connect-wallets.js';

/** The cost of one pass over all wallets in this process. */
export interface CcxtCost {
  cpuMsPerWallet: number;
  walletsPerSecond: number;
}

export interface CcxtOrder {
  sandboxUrl: string;
  wallets: ConnectedWallet[];
  concurrency: number;
}

/** An efficient use of ccxt: one instance for each credential, with shared markets that are read once. */
function create({ sandboxUrl }: CcxtOrder, credentials: object): Exchange {
  return new ccxt.kraken({
    ...credentials,
    enableRateLimit: false,
    urls: { api: { public: sandboxUrl, private: sandboxUrl, zendesk: sandboxUrl } },
  });
}

async function run(order: CcxtOrder): Promise<CcxtCost> {
  const source = create(order, {});
  await source.loadMarkets();
  const waiting = [...order.wallets];
  const work = async (): Promise<void> => {
    for (let wallet = waiting.pop(); wallet !== undefined; wallet = waiting.pop()) {
      const { apiKey, apiSecret: secret } = wallet;
      const instance = create(order, { apiKey, secret });
      instance.setMarketsFromExchange(source);
      await instance.fetchBalance();
    }
  };
  const began = performance.now();
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: order.concurrency }, work));
  const { user, system } = process.cpuUsage(before);
  const seconds = (performance.now() - began) / 1_000;
  return {
    cpuMsPerWallet: (user + system) / 1_000 / order.wallets.length,
    walletsPerSecond: order.wallets.length / seconds,
  };
}

answerOrders(run);
