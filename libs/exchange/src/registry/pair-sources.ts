import { binance } from '../exchanges/binance/binance-pairs.js';
import { bitget } from '../exchanges/bitget/bitget-pairs.js';
import { bitstamp } from '../exchanges/bitstamp/bitstamp-pairs.js';
import { bybit } from '../exchanges/bybit/bybit-pairs.js';
import { coinbase } from '../exchanges/coinbase/coinbase-pairs.js';
import { gate } from '../exchanges/gate/gate-pairs.js';
import { gemini } from '../exchanges/gemini/gemini-pairs.js';
import { kraken } from '../exchanges/kraken/kraken-pairs.js';
import { kucoin } from '../exchanges/kucoin/kucoin-pairs.js';
import { okx } from '../exchanges/okx/okx-pairs.js';
import type { PairSource } from '../declaration/pair-source.js';
import { sandbox } from '../exchanges/sandbox/sandbox-pairs.js';

/** The exchanges whose pair list is read, in display order. */
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
