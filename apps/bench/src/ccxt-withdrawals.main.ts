import ccxt, { type Exchange } from 'ccxt';
import type { ConnectedWallet } from './environment/connect-wallets.js';
import { answerOrders } from './environment/ccxt-process.js';

/** Selects the calls that the program makes to the exchange: those of a quote, or those of an execution. */
export type WithdrawalStep = 'quote' | 'execute';

export interface CcxtWithdrawalsOrder {
  sandboxUrl: string;
  wallets: ConnectedWallet[];
  step: WithdrawalStep;
  address: string;
  amount: string;
  /** Wallets that are served in parallel. */
  concurrency: number;
}

/** The cost of the exchange calls of all wallets in this process. */
export interface CcxtWithdrawalsCost {
  cpuMsPerWallet: number;
  /** Milliseconds from the first call of a wallet until the response to its last one, for each wallet. */
  took: number[];
}

/** The ccxt instance of each API key. Instances are kept, because a real program would keep them, too. */
const instances = new Map<string, Exchange>();
let source: Exchange | null = null;

function create(sandboxUrl: string, credentials: object): Exchange {
  const urls = { api: { public: sandboxUrl, private: sandboxUrl, zendesk: sandboxUrl } };
  const instance = new ccxt.kraken({ ...credentials, enableRateLimit: false, urls });
  // Two calls with one key may come in the same millisecond, and the second one needs a higher nonce.
  let last = 0;
  instance.nonce = () => (last = Math.max(last + 1, Date.now()));
  return instance;
}

async function sourceOf({ sandboxUrl }: CcxtWithdrawalsOrder): Promise<Exchange> {
  const loaded = create(sandboxUrl, {});
  await loaded.loadMarkets();
  return loaded;
}

function instanceOf({ sandboxUrl }: CcxtWithdrawalsOrder, wallet: ConnectedWallet, markets: Exchange): Exchange {
  const kept = instances.get(wallet.apiKey);
  if (kept !== undefined) return kept;
  const instance = create(sandboxUrl, { apiKey: wallet.apiKey, secret: wallet.apiSecret });
  instance.setMarketsFromExchange(markets);
  instances.set(wallet.apiKey, instance);
  return instance;
}

/** Sends the same calls as our connector, without its checks of the responses. */
async function serve(instance: Exchange, { step, address, amount }: CcxtWithdrawalsOrder): Promise<void> {
  const asset = 'XXBT';
  const post = (path: string, parameters: Record<string, string>): Promise<unknown> =>
    instance.request(path, 'private', 'POST', parameters) as Promise<unknown>;
  await post('WithdrawAddresses', { asset, method: 'Bitcoin' });
  if (step === 'quote') {
    await post('WithdrawInfo', { asset, key: address, amount });
    await post('BalanceEx', {});
    return;
  }
  await post('BalanceEx', {});
  const start = String(Math.floor(Date.now() / 1_000) - 3_600);
  await post('WithdrawStatus', { asset, start, cursor: 'true', limit: '500' });
  await post('Withdraw', { asset, key: address, address, amount });
}

async function run(order: CcxtWithdrawalsOrder): Promise<CcxtWithdrawalsCost> {
  const markets = (source ??= await sourceOf(order));
  const waiting = order.wallets.map((wallet) => instanceOf(order, wallet, markets));
  const took: number[] = [];
  const work = async (): Promise<void> => {
    for (let instance = waiting.pop(); instance !== undefined; instance = waiting.pop()) {
      const began = performance.now();
      await serve(instance, order);
      took.push(performance.now() - began);
    }
  };
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: order.concurrency }, work));
  const { user, system } = process.cpuUsage(before);
  return { cpuMsPerWallet: (user + system) / 1_000 / order.wallets.length, took };
}

answerOrders(run);
