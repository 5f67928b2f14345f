import { assets, findAsset } from '../../catalogue.js';
import type { SandboxAsset } from '../../data/assets.js';
import { findPair, pairs, type AssetPair, type SandboxPair } from '../../data/pairs.js';
import { tickerOf, type Ticker } from '../../data/tickers.js';
import type { Level } from '../../ledger/records.js';
import { KrakenError, required, type PublicCall, type PublicEndpoints } from '../handler.js';
import { bestOf, lastPrice, statusOf } from '../../trading/order-book.js';

const namesIn = (list: string) => list.split(',').map((name) => name.trim());

/** @throws KrakenError */
export function knownPair(name: string): SandboxPair {
  const pair = findPair(name);
  if (pair === null) throw new KrakenError('EQuery:Unknown asset pair');
  return pair;
}

function knownAsset(name: string): SandboxAsset {
  const asset = findAsset(name);
  if (asset === null) throw new KrakenError('EQuery:Unknown asset');
  return asset;
}

/** Source: https://docs.kraken.com/api-reference/market-data/get-asset-info */
function listAssets({ params }: PublicCall): unknown {
  const requested = params['asset'] === undefined ? assets : namesIn(params['asset']).map(knownAsset);
  return Object.fromEntries(
    requested.map(({ id, altname, decimals, displayDecimals, status }) => [
      id,
      { aclass: 'currency', altname, decimals, display_decimals: displayDecimals, status },
    ]),
  );
}

/** The fields of a pair that the optional parameter `info` selects. */
const parts: Readonly<Record<string, (pair: AssetPair) => object>> = {
  info: (pair) => pair,
  leverage: ({ leverage_buy, leverage_sell }) => ({ leverage_buy, leverage_sell }),
  fees: ({ fees, fees_maker, fee_volume_currency }) => ({ fees, fees_maker, fee_volume_currency }),
  margin: ({ margin_call, margin_stop }) => ({ margin_call, margin_stop }),
};

/** Source: https://docs.kraken.com/api-reference/market-data/get-tradable-asset-pairs */
function listPairs({ params, exchange }: PublicCall): Record<string, object> {
  const requested = params['pair'] === undefined ? pairs : namesIn(params['pair']).map(knownPair);
  const part = params['info'] ?? 'info';
  const pick = Object.hasOwn(parts, part) ? parts[part] : undefined;
  if (pick === undefined) throw new KrakenError('EGeneral:Invalid arguments');
  return Object.fromEntries(
    requested.map((pair) => [pair.id, pick({ ...pair.info, status: statusOf(exchange, pair) })]),
  );
}

/**
 * Source: https://docs.kraken.com/api-reference/market-data/get-ticker-information. Without a name the call returns
 * all pairs.
 */
function listTickers({ params, exchange }: PublicCall): Record<string, Ticker> {
  const requested = params['pair'] === undefined ? pairs : namesIn(params['pair']).map(knownPair);
  return Object.fromEntries(
    requested.map((pair) => [pair.id, tickerOf(pair, lastPrice(exchange, pair), bestOf(exchange, pair))]),
  );
}

const DEPTH_DEFAULT = 100;
const DEPTH_MAX = 500;

/**
 * Source: https://docs.kraken.com/api-reference/market-data/get-order-book. Each level is price, volume and time. A
 * market without an order book shows one level on each side.
 */
function orderBook({ params, exchange, now }: PublicCall): unknown {
  const pair = knownPair(required(params, 'pair'));
  const count = Number(params['count'] ?? DEPTH_DEFAULT);
  if (!Number.isInteger(count) || count < 1 || count > DEPTH_MAX) throw new KrakenError('EGeneral:Invalid arguments');
  const { a, b } = tickerOf(pair, lastPrice(exchange, pair), bestOf(exchange, pair));
  const level = ([price, , volume]: Ticker['a']) => ({ price, volume });
  const { asks, bids } = exchange.depths.get(pair.id) ?? { asks: [level(a)], bids: [level(b)] };
  const second = Math.floor(now.getTime() / 1000);
  const shown = (levels: readonly Level[]) =>
    levels.slice(0, count).map(({ price, volume }) => [price, volume, second]);
  return { [pair.id]: { asks: shown(asks), bids: shown(bids) } };
}

export const marketEndpoints: PublicEndpoints = {
  Assets: listAssets,
  AssetPairs: listPairs,
  Ticker: listTickers,
  Depth: orderBook,
};
