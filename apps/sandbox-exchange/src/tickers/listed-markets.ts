import type { Amount } from '#money';
import { assetById } from '../catalogue.js';
import { pairs, type SandboxPair } from '../data/pairs.js';
import { tickerOf, type Ticker } from '../data/tickers.js';
import type { Exchange } from '../exchange.js';
import { bestOf, lastPrice } from '../trading/order-book.js';

/** A pair with common asset codes such as BTC and USD. */
export interface ListedMarket {
  readonly base: string;
  readonly quote: string;
  readonly pair: SandboxPair;
}

/**
 * Returns the pairs whose quote asset is in `quotes` and whose base asset is not in `without`. Both texts are codes,
 * separated by spaces.
 */
export function marketsOf({ quotes, without }: { quotes: string; without: string }): readonly ListedMarket[] {
  const [listed, left] = [quotes, without].map((codes) => new Set(codes.split(' ')));
  return pairs
    .map((pair) => ({ base: assetById(pair.info.base).code, quote: assetById(pair.info.quote).code, pair }))
    .filter(({ base, quote }) => listed?.has(quote) === true && left?.has(base) === false);
}

/** The pairs that an exchange lists, under its own symbols. */
export class MarketList {
  private readonly bySymbol: ReadonlyMap<string, ListedMarket>;

  constructor(
    readonly all: readonly ListedMarket[],
    readonly symbolOf: (market: ListedMarket) => string,
  ) {
    this.bySymbol = new Map(all.map((market) => [symbolOf(market), market]));
  }

  find(symbol: string | undefined): ListedMarket | null {
    return this.bySymbol.get(symbol ?? '') ?? null;
  }

  /** Finds a market by the id of its pair in the ledger. */
  ofPair(pairId: string): ListedMarket | null {
    return this.all.find(({ pair }) => pair.id === pairId) ?? null;
  }
}

export interface Quotation {
  last: Amount;
  /** In Kraken's format; the other exchanges return parts of it. */
  ticker: Ticker;
}

/** All exchanges share one market with one price, so `/control/prices` changes the price at all of them. */
export function quotationOf(exchange: Exchange, pair: SandboxPair): Quotation {
  const last = lastPrice(exchange, pair);
  return { last, ticker: tickerOf(pair, last, bestOf(exchange, pair)) };
}

/** The change of the last day in percent: each day opens at 0.985 of the last price. */
export const DAY_CHANGE_PERCENT = '1.52';
