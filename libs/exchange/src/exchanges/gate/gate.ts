import type { MarketDeclaration } from '../../declaration/market-declaration.js';
import { gatePairs } from './gate-pairs.js';

export const gate: MarketDeclaration = { pairs: gatePairs };
