import { Amount } from '#money';
import type { CcxtClient, Endpoint } from '../../../ccxt/ccxt-client.js';
import type { AssetBalance } from '../../../port/exchange.port.js';
import { readBalances } from './kraken-responses.js';

const BALANCE_EX: Endpoint = { api: 'private', method: 'POST', path: 'BalanceEx' };

/** The holdings by our asset codes. Holdings under several ids of Kraken with the same code are added up. */
export async function listBalances(client: CcxtClient): Promise<AssetBalance[]> {
  const assets = await client.assets();
  const balances = await client.call(BALANCE_EX, {}, readBalances);
  const byAsset = new Map<string, AssetBalance>();
  for (const [id, { balance, hold_trade: held }] of Object.entries(balances)) {
    const asset = assets.codeOf(id);
    const before = byAsset.get(asset) ?? { asset, free: Amount.zero, used: Amount.zero, total: Amount.zero };
    byAsset.set(asset, {
      asset,
      free: before.free.plus(balance.minus(held)),
      used: before.used.plus(held),
      total: before.total.plus(balance),
    });
  }
  return [...byAsset.values()];
}
