import ccxt, { type Exchange } from 'ccxt';
import { answerOrders, type CcxtCost, type CcxtOrder } from './environment/ccxt-process.js';
import type { ConnectedWallet } from './environment/connect-wallets.js';
import { inParallel } from './environment/in-parallel.js';

/**
 * The ccxt instance of each API key for withdrawals. Instances are kept, because a real program would keep them, too.
 * They share the markets, which are read once.
 */
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

async function sourceOf({ sandboxUrl }: CcxtOrder): Promise<Exchange> {
  const loaded = create(sandboxUrl, {});
  await loaded.loadMarkets();
  return loaded;
}

function instanceOf({ sandboxUrl, step }: CcxtOrder, wallet: ConnectedWallet, markets: Exchange): Exchange {
  const kept = instances.get(wallet.apiKey);
  if (kept !== undefined) return kept;
  const instance = create(sandboxUrl, { apiKey: wallet.apiKey, secret: wallet.apiSecret });
  instance.setMarketsFromExchange(markets);
  if (step !== 'balance') instances.set(wallet.apiKey, instance);
  return instance;
}

/** Sends the same calls as our connector, without its checks of the responses. */
async function serve(instance: Exchange, { step, destination }: CcxtOrder): Promise<void> {
  if (step === 'balance' || destination === undefined) return void (await instance.fetchBalance());
  const { address, amount } = destination;
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

async function run(order: CcxtOrder): Promise<CcxtCost> {
  const markets = (source ??= await sourceOf(order));
  const took: number[] = [];
  const passBegan = performance.now();
  const before = process.cpuUsage();
  await inParallel(order.wallets, order.concurrency, async (wallet) => {
    const instance = instanceOf(order, wallet, markets);
    const began = performance.now();
    await serve(instance, order);
    took.push(performance.now() - began);
  });
  const { user, system } = process.cpuUsage(before);
  const seconds = (performance.now() - passBegan) / 1_000;
  return {
    cpuMsPerWallet: (user + system) / 1_000 / order.wallets.length,
    walletsPerSecond: order.wallets.length / seconds,
    took,
  };
}

answerOrders(run);
