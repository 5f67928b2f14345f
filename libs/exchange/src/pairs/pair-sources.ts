import { binance } from './binance.js';
import { bitget } from './bitget.js';
import { bitstamp } from './bitstamp.js';
import { bybit } from './bybit.js';
import { coinbase } from './coinbase.js';
import { gate } from './gate.js';
import { gemini } from './gemini.js';
import { kraken } from './kraken.js';
import { kucoin } from './kucoin.js';
import { okx } from './okx.js';
import type { PairSource } from './pair-source.js';
import { sandbox } from './sandbox.js';

/** The exchanges whose public list of pairs is read, in the order in which they are shown. */
export const pairSources: readonly PairSource[] = [
  kraken,
  coinbase,
  bitstamp,
  gemini,
  binance,
  okx,
  bybit,
  kucoin,
  gate,
  bitget,
  sandbox,
];
