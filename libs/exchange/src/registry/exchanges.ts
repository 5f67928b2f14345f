import type { ExchangeDeclaration } from '../declaration/exchange-declaration.js';
import { NO_CODES } from '../transport/error-map.js';
import type { CredentialField } from '../port/exchange-spec.js';
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
import type { OtherHost } from '../transport/host-choice.js';

/** All declarations by their id, in display order. A new exchange gets one line here. */
export const exchanges: Readonly<Record<string, ExchangeDeclaration>> = {
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

/** Ids of all exchanges, in display order. */
export const exchangeIds: readonly string[] = Object.keys(exchanges);

/** Ids of the exchanges that have a real address. */
export const liveExchangeIds: readonly string[] = exchangeIds.filter((id) => exchanges[id]?.liveUrl !== undefined);

/** Ids of the exchanges at which orders can be placed. */
export const tradingExchangeIds: readonly string[] = exchangeIds.filter(
  (id) => exchanges[id]?.spec.access.includes('trade') === true,
);

/** Ids of the exchanges that state a withdrawal fee only after the withdrawal, so that operators must estimate it. */
export const estimatedExchangeIds: readonly string[] = exchangeIds.filter(
  (id) => exchanges[id]?.spec.withdrawals?.fee === 'estimated',
);

/** Ids of the exchanges at which orders are allowed unless the operator names others. */
export const defaultTradingExchangeIds: readonly string[] = ['kraken'];

export function findExchange(id: string): ExchangeDeclaration | null {
  return Object.hasOwn(exchanges, id) ? (exchanges[id] ?? null) : null;
}

/** The second hosts that exchanges document. An address in the configuration replaces the usual host and this one. */
export const otherHosts: readonly OtherHost[] = Object.values(exchanges).flatMap(({ liveUrl, otherHost }) =>
  liveUrl === undefined || otherHost === undefined
    ? []
    : [{ usual: liveUrl, other: otherHost.url, probe: otherHost.probe }],
);

/** The credentials that an owner enters for an exchange, without its site. */
export function credentialFieldsOf(id: string): Exclude<CredentialField, 'apiRegion'>[] {
  return (findExchange(id)?.spec.credentialFields ?? []).filter((field) => field !== 'apiRegion');
}

/** The declared limits of the calls to an exchange, and the meanings of its errors. */
export function callFactsOf(id: string): Pick<ExchangeDeclaration, 'addressRate' | 'limits' | 'errors'> {
  return findExchange(id) ?? { limits: [], errors: NO_CODES };
}

const [first] = Object.values(exchanges);
if (first === undefined) throw new Error('the registry contains no exchange');

/** The exchange that examples in documents and messages name. */
export const exampleExchange: { readonly id: string; readonly name: string } = first.spec;
