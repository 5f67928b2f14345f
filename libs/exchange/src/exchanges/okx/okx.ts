import type { MarketDeclaration } from '../../declaration/market-declaration.js';
import { okxPairs } from './okx-pairs.js';

export const okx: MarketDeclaration = { pairs: okxPairs };
