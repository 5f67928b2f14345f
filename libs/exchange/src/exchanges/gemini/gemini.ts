import type { MarketDeclaration } from '../../declaration/market-declaration.js';
import { geminiPairs } from './gemini-pairs.js';
import { geminiTickers } from './gemini-tickers.js';

export const gemini: MarketDeclaration = { pairs: geminiPairs, tickers: geminiTickers };
