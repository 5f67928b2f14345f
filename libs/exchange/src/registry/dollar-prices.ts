import { Amount } from '#money';
import type { AssetCodes, TickerEntry } from '../declaration/ticker-source.js';

/** What a symbol may be: it stands in queries, between commas. */
const SYMBOL = /^[^\s,\p{C}]{1,40}$/u;

/**
 * Prices by our symbols, in the order of the symbols. Left out is what is no price: zero, less, or not a number. Of two
 * prices of one asset that of the pair that sorts first counts, of two of one pair the lower, so that the order of the
 * exchange's list, which promises nothing, changes nothing.
 */
export function dollarPrices(entries: readonly TickerEntry[], codeOf: AssetCodes): ReadonlyMap<string, Amount> {
  const chosen = new Map<string, { pair: string; price: Amount }>();
  for (const { pair, asset, price: text } of entries) {
    const price = parsePrice(text);
    const symbol = codeOf(asset);
    if (price === null || !SYMBOL.test(symbol) || symbol === 'USD') continue;
    const other = chosen.get(symbol);
    if (other === undefined || sortsBefore({ pair, price }, other)) chosen.set(symbol, { pair, price });
  }
  const sorted = [...chosen].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(sorted.map(([symbol, { price }]) => [symbol, price]));
}

function sortsBefore(one: { pair: string; price: Amount }, other: { pair: string; price: Amount }): boolean {
  return one.pair === other.pair ? one.price.lessThan(other.price) : one.pair < other.pair;
}

function parsePrice(text: string): Amount | null {
  try {
    const price = Amount.of(text);
    return price.isPositive() ? price : null;
  } catch {
    return null;
  }
}
