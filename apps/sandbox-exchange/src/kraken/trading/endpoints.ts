import type { FeeTier } from '../../data/pairs.js';
import type { Amount } from '#money';
import type { Call, PrivateEndpoints } from '../handler.js';
import { feeTiers, tradedVolume } from '../../trading/fees.js';
import { knownPair } from './market.js';
import { cancelOrder, closedOrders, fixed, openOrders, queryOrders } from './orders.js';
import { addOrder } from './place-order.js';

const PERCENT_PLACES = 4;
const VOLUME_PLACES = 4;

const percentOf = ([, percent]: FeeTier) => fixed(String(percent), PERCENT_PLACES);
const fromOf = ([volume]: FeeTier) => fixed(String(volume), VOLUME_PLACES);

function feeInfo(schedule: readonly FeeTier[], volume: Amount): object {
  const { current, next } = feeTiers(schedule, volume);
  return {
    fee: percentOf(current),
    minfee: percentOf(schedule.at(-1) ?? current),
    maxfee: percentOf(schedule[0] ?? current),
    nextfee: next === null ? null : percentOf(next),
    nextvolume: next === null ? null : fromOf(next),
    tiervolume: fromOf(current),
  };
}

/**
 * Source: https://docs.kraken.com/api-reference/account-data/get-trade-volume. Fees are returned only for named pairs.
 */
function tradeVolume({ account, params, exchange, now }: Call): unknown {
  const volume = tradedVolume(exchange.book(account), now);
  const response = { currency: 'ZUSD', volume: fixed(volume.truncate(VOLUME_PLACES).toString(), VOLUME_PLACES) };
  if (params['pair'] === undefined) return response;
  const requested = params['pair'].split(',').map((name) => knownPair(name.trim()));
  return {
    ...response,
    fees: Object.fromEntries(requested.map(({ id, info }) => [id, feeInfo(info.fees, volume)])),
    fees_maker: Object.fromEntries(requested.map(({ id, info }) => [id, feeInfo(info.fees_maker, volume)])),
  };
}

export const tradingEndpoints: PrivateEndpoints = {
  TradeVolume: { handler: tradeVolume, permissions: ['query-funds'] },
  AddOrder: { handler: addOrder, permissions: ['modify-trades'] },
  CancelOrder: { handler: cancelOrder, permissions: ['close-trades'] },
  /** The handler checks the permission, because open and ended orders require different ones. */
  QueryOrders: { handler: queryOrders, permissions: [] },
  OpenOrders: { handler: openOrders, permissions: ['query-open-trades'] },
  ClosedOrders: { handler: closedOrders, permissions: ['query-closed-trades'] },
};
