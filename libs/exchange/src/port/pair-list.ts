import type { ProjectMode } from './exchange.port.js';

/** What one pair asks of an order and costs. Amounts are decimal strings, as the exchange writes them, without exponents. */
export interface TradedPair {
  /** Our codes, the same as in balances. */
  base: string;
  quote: string;
  /** The exchange's own ids of both. */
  exchangeBase: string;
  exchangeQuote: string;
  /** As orders name the pair at the exchange. */
  exchangeSymbol: string;
  /** The exchange's own word, lower case: `online`, `cancel_only`, … */
  status: string;
  /** Whether it takes plain orders now. */
  isTradingEnabled: boolean;
  isMarginEnabled: boolean;
  /** Of `market` and `limit`, those that it takes now. */
  orderTypes: ('market' | 'limit')[];
  /** A price is a multiple of it; need not be a power of ten. */
  tickSize: string;
  priceDecimals: number;
  /** Least volume, in the base asset. */
  minBaseQty: string;
  /** A volume is a multiple of it. */
  stepSize: string;
  quantityDecimals: number;
  /** Least volume × price, in the quote asset; null = none. */
  minCost: string | null;
  /** From a volume of 30 days in US dollars on, in percent; empty = not public. */
  feeTiers: { volume: string; maker: string; taker: string }[];
}

/** The pairs of one exchange: sound entries alone, at least one, and no fewer than could not be read. */
export interface PairList {
  exchange: string;
  mode: ProjectMode;
  /** The call that gave it, without host: `/0/public/AssetPairs`. */
  api: string;
  pairs: TradedPair[];
  /** Entries that could not be read. */
  unreadable: number;
  /** When the exchange answered. */
  fetchedAt: Date;
}
