import type { MarketDeclaration } from '../../declaration/market-declaration.js';
import { bitstampPairs } from './bitstamp-pairs.js';
import { bitstampTickers } from './bitstamp-tickers.js';

export const bitstamp: MarketDeclaration = { pairs: bitstampPairs, tickers: bitstampTickers };
