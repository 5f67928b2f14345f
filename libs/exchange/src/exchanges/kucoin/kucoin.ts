import type { MarketDeclaration } from '../../declaration/market-declaration.js';
import { kucoinPairs } from './kucoin-pairs.js';

export const kucoin: MarketDeclaration = { pairs: kucoinPairs };
