import type { PairSource } from './pair-source.js';
import type { TickerSource } from './ticker-source.js';

/** The public lists of an exchange. An exchange without a connector declares nothing else. */
export interface MarketDeclaration {
  /** The list of pairs; absent = the catalogue does not contain this exchange. */
  readonly pairs?: PairSource;
  /** The list of prices in US dollars; absent = no call of the exchange returns all of them. */
  readonly tickers?: TickerSource;
}
