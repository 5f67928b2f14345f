import type { MarketDeclaration } from '../../declaration/market-declaration.js';
import { bitgetPairs } from './bitget-pairs.js';

export const bitget: MarketDeclaration = { pairs: bitgetPairs };
