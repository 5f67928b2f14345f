import type { MarketDeclaration } from '../../declaration/market-declaration.js';
import { bybitPairs } from './bybit-pairs.js';

export const bybit: MarketDeclaration = { pairs: bybitPairs };
