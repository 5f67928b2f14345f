import { z } from 'zod';
import { price, readEntries, type TickerListing } from '../../declaration/ticker-source.js';

const response = z.array(z.unknown());

const feed = z.object({ pair: z.string().transform((pair) => pair.toUpperCase()), price });

const DOLLAR = 'USD';
/** Quote assets whose names end in USD. */
const DOLLAR_COINS = ['GUSD', 'RLUSD', 'PYUSD'];
/** Other quote assets. */
const OTHER_QUOTES = ['USDT', 'USDC', 'DAI', 'EUR', 'GBP', 'SGD', 'BTC', 'ETH', 'SOL', 'LTC', 'BCH', 'FIL'];

/**
 * Gemini. The name of a pair is two asset names without a separator. Names of perpetuals end in `PERP`.
 * docs.gemini.com/rest/market-data (List Prices, Get Symbol Details)
 */
export const geminiTickers: TickerListing = {
  path: '/v1/pricefeed',
  read: (body) => {
    const entries = readEntries(response.parse(body), feed);
    const pairs = new Set(entries.map(({ pair }) => pair));
    return entries.flatMap(({ pair, price: given }) => {
      const asset = pricedInDollars(pair, pairs);
      return asset === null ? [] : [{ pair, asset, price: given }];
    });
  },
};

/**
 * The asset that the pair prices in US dollars; null when the pair is not priced in US dollars. The name alone is
 * ambiguous: `BTCGUSD` is BTC in GUSD, but `PAXGUSD` is PAXG in dollars. A pair counts as priced in a dollar coin when
 * the asset that is then left (BTC) occurs in other pairs or is a known currency.
 */
function pricedInDollars(pair: string, pairs: ReadonlySet<string>): string | null {
  if (!/^[A-Z0-9]+USD$/.test(pair)) return null;
  const isInCoin = DOLLAR_COINS.some((coin) => pair.endsWith(coin) && isAsset(withoutEnd(pair, coin), coin, pairs));
  return isInCoin ? null : withoutEnd(pair, DOLLAR);
}

function isAsset(name: string, otherThan: string, pairs: ReadonlySet<string>): boolean {
  if (name === '') return false;
  const coins = DOLLAR_COINS.filter((coin) => coin !== otherThan);
  if ([...DOLLAR_COINS, ...OTHER_QUOTES].includes(name)) return true;
  return [DOLLAR, ...coins, ...OTHER_QUOTES].some((quote) => pairs.has(name + quote));
}

function withoutEnd(pair: string, end: string): string {
  return pair.slice(0, -end.length);
}
