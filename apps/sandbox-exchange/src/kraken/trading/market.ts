import { assets, findAsset } from '../catalogue.js';
import type { SandboxAsset } from '../data/assets.js';
import { findPair, pairs, type AssetPair, type SandboxPair } from '../data/pairs.js';
import { tickerOf, type Ticker } from '../data/tickers.js';
import type { Level } from '../ledger/records.js';
import { KrakenError, required, type PublicCall, type PublicEndpoints } from './handler.js';
import { bestOf, lastPrice, statusOf } from './trading-book.js';

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

/** https://docs.kraken.com/api-reference/market-data/get-asset-info */
function listAssets({ params }: PublicCall): unknown {
  const asked = params['asset'] === undefined ? assets : namesIn(params['asset']).map(knownAsset);
  return Object.fromEntries(
    asked.map(({ id, altname, decimals, displayDecimals, status }) => [
      id,
      { aclass: 'currency', altname, decimals, display_decimals: displayDecimals, status },
    ]),
  );
}

/** What the optional `info` leaves of a pair. */
const parts: Readonly<Record<string, (pair: AssetPair) => object>> = {
  info: (pair) => pair,
  leverage: ({ leverage_buy, leverage_sell }) => ({ leverage_buy, leverage_sell }),
  fees: ({ fees, fees_maker, fee_volume_currency }) => ({ fees, fees_maker, fee_volume_currency }),
  margin: ({ margin_call, margin_stop }) => ({ margin_call, margin_stop }),
};

/** https://docs.kraken.com/api-reference/market-data/get-tradable-asset-pairs */
function listPairs({ params, exchange }: PublicCall): Record<string, object> {
  const asked = params['pair'] === undefined ? pairs : namesIn(params['pair']).map(knownPair);
  const part = params['info'] ?? 'info';
  const pick = Object.hasOwn(parts, part) ? parts[part] : undefined;
  if (pick === undefined) throw new KrakenError('EGeneral:Invalid arguments');
  return Object.fromEntries(asked.map((pair) => [pair.id, pick({ ...pair.info, status: statusOf(exchange, pair) })]));
}

/** https://docs.kraken.com/api-reference/market-data/get-ticker-information: all pairs when none is named. */
function listTickers({ params, exchange }: PublicCall): Record<string, Ticker> {
  const asked = params['pair'] === undefined ? pairs : namesIn(params['pair']).map(knownPair);
  return Object.fromEntries(
    asked.map((pair) => [pair.id, tickerOf(pair, lastPrice(exchange, pair), bestOf(exchange, pair))]),
  );
}

const DEPTH_DEFAULT = 100;
const DEPTH_MAX = 500;

/**
 * https://docs.kraken.com/api-reference/market-data/get-order-book: of one pair, each level as price, volume, time. A
 * market that takes any volume shows one level on either side.
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
