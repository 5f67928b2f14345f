import type { ExchangeDeclaration } from '../declaration/exchange-declaration.js';
import type { MarketDeclaration } from '../declaration/market-declaration.js';
import { binance } from '../exchanges/binance/binance.js';
import { bitget } from '../exchanges/bitget/bitget.js';
import { bitstamp } from '../exchanges/bitstamp/bitstamp.js';
import { bybit } from '../exchanges/bybit/bybit.js';
import { coinbase } from '../exchanges/coinbase/coinbase.js';
import { gate } from '../exchanges/gate/gate.js';
import { gemini } from '../exchanges/gemini/gemini.js';
import { kraken } from '../exchanges/kraken/kraken.js';
import { kucoin } from '../exchanges/kucoin/kucoin.js';
import { okx } from '../exchanges/okx/okx.js';
import { sandbox } from '../exchanges/sandbox/sandbox.js';

type Declared = ExchangeDeclaration | MarketDeclaration;

/** All declarations by their id, in display order. A new exchange gets one line here. */
export const declared: Readonly<Record<string, Declared>> = {
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
};

function isConnectable(entry: [string, Declared]): entry is [string, ExchangeDeclaration] {
  return 'spec' in entry[1];
}

/** All exchanges that can be connected. */
export const exchanges: Readonly<Record<string, ExchangeDeclaration>> = Object.fromEntries(
  Object.entries(declared).filter(isConnectable),
);

/** Ids of all exchanges that can be connected, in display order. */
export const exchangeIds: readonly string[] = Object.keys(exchanges);

/** Ids of the exchanges at which orders can be placed. */
export const tradingExchangeIds: readonly string[] = exchangeIds.filter(
  (id) => exchanges[id]?.spec.access.includes('trade') === true,
);

/** Ids of the exchanges at which orders are allowed unless the operator names others. */
export const defaultTradingExchangeIds: readonly string[] = ['kraken'];

export function findExchange(id: string): ExchangeDeclaration | null {
  return Object.hasOwn(exchanges, id) ? (exchanges[id] ?? null) : null;
}

const [first] = Object.values(exchanges);
if (first === undefined) throw new Error('the registry contains no exchange');

/** The exchange that examples in documents and messages name. */
export const exampleExchange: { readonly id: string; readonly name: string } = first.spec;
