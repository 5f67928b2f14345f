import type { MarketDeclaration } from '../../declaration/market-declaration.js';
import { binancePairs } from './binance-pairs.js';

export const binance: MarketDeclaration = { pairs: binancePairs };
