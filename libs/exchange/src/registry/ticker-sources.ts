import { bitstamp } from '../exchanges/bitstamp/bitstamp-tickers.js';
import { coinbase } from '../exchanges/coinbase/coinbase-tickers.js';
import { gemini } from '../exchanges/gemini/gemini-tickers.js';
import { kraken } from '../exchanges/kraken/kraken-tickers.js';
import type { TickerSource } from '../declaration/ticker-source.js';

/** The exchanges whose prices are read. All of them quote real US dollars and return all pairs in one call. */
export const tickerSources = { kraken, coinbase, bitstamp, gemini } as const satisfies Record<string, TickerSource>;

export type TickerExchange = keyof typeof tickerSources;

/** Their ids, in display order. */
export const tickerExchanges = Object.keys(tickerSources) as readonly TickerExchange[];

export function isTickerExchange(id: string): id is TickerExchange {
  return Object.hasOwn(tickerSources, id);
}
