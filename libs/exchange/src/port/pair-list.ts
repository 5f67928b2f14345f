import type { ProjectMode } from './exchange.port.js';

/**
 * The rules and fees of trading one pair. Amounts are plain decimal strings, without exponents and needless zeros.
 */
export interface TradedPair {
  /** Our codes, the same as in balances. */
  base: string;
  quote: string;
  /** The exchange's own ids of both assets. */
  exchangeBase: string;
  exchangeQuote: string;
  /** The name of the pair in the exchange's orders. */
  exchangeSymbol: string;
  /** The exchange's own status, in lower case: `online`, `cancel_only`, … */
  status: string;
  /** Whether the exchange takes market or limit orders now. */
  isTradingEnabled: boolean;
  isMarginEnabled: boolean;
  /** The order types that the exchange accepts now for this pair, of those that we can place. */
  orderTypes: ('market' | 'limit')[];
  /** A price must be a multiple of the tick size, which need not be a power of ten. */
  tickSize: string;
  priceDecimals: number;
  /** Least volume, in the base asset. */
  minBaseQty: string;
  /** A volume must be a multiple of the step size. */
  stepSize: string;
  quantityDecimals: number;
  /** Least volume × price, in the quote asset; null = none. */
  minCost: string | null;
  /** Fees in percent, from a 30-day volume in US dollars upwards; empty = not public. */
  feeTiers: { volume: string; maker: string; taker: string }[];
}

/** The pairs of one exchange. A list without pairs, or with more unreadable entries than pairs, is rejected. */
export interface PairList {
  exchange: string;
  mode: ProjectMode;
  /** The path of the call that returned the list: `/0/public/AssetPairs`. */
  api: string;
  pairs: TradedPair[];
  /** Number of entries that could not be read. */
  unreadable: number;
  /** When the exchange responded. */
  fetchedAt: Date;
}
