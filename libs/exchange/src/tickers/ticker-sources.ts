import { bitstamp } from './bitstamp.js';
import { coinbase } from './coinbase.js';
import { gemini } from './gemini.js';
import { kraken } from './kraken.js';
import type { TickerSource } from './ticker-source.js';

/** The exchanges whose public prices are read: all quote real US dollars and answer all pairs in one call. */
export const tickerSources = { kraken, coinbase, bitstamp, gemini } as const satisfies Record<string, TickerSource>;

export type TickerExchange = keyof typeof tickerSources;

/** Their ids, in the order in which they are shown. */
export const tickerExchanges = Object.keys(tickerSources) as readonly TickerExchange[];

export function isTickerExchange(id: string): id is TickerExchange {
  return Object.hasOwn(tickerSources, id);
}
