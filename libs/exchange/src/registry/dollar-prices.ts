import { Amount } from '#money';
import type { CodeOf } from '../declaration/asset-names.js';
import type { TickerEntry } from '../declaration/ticker-source.js';

/** The format of our symbols. It excludes commas, because queries contain lists of symbols separated by commas. */
const SYMBOL = /^(?!\s)[^,\p{C}]{1,40}(?<!\s)$/u;

/**
 * Prices by our symbols, in the order of the symbols. Entries whose price is not a positive number are left out. If an
 * asset has several pairs, the pair that sorts first gives the price; if a pair has several prices, the lowest is used.
 * The result therefore does not depend on the order of the exchange's list.
 */
export function dollarPrices(entries: readonly TickerEntry[], codeOf: CodeOf): ReadonlyMap<string, Amount> {
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
