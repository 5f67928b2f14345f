import type { TickerSource } from '../declaration/ticker-source.js';
import { exchanges } from './exchanges.js';

const sources: ReadonlyMap<string, TickerSource> = new Map(
  Object.entries(exchanges).flatMap(([id, { tickers }]) => (tickers === undefined ? [] : [[id, tickers]])),
);

/** Ids of the exchanges whose prices are read, in display order. */
export const tickerExchanges: readonly string[] = [...sources.keys()];

export function isTickerExchange(id: string): boolean {
  return sources.has(id);
}

/** @throws when the exchange declares no price list */
export function tickerSourceOf(id: string): TickerSource {
  const source = sources.get(id);
  if (source === undefined) throw new Error(`${id} declares no price list`);
  return source;
}
