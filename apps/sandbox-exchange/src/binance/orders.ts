import type { Call } from '../kraken/handler.js';
import { findSpotOrder, placeSpotOrder } from '../rest/orders.js';
import { Refusal } from '../rest/refusal.js';
import { binanceMarkets } from '../tickers/binance-symbols.js';

/** Sources: developers.binance.com/docs/binance-spot-api-docs/rest-api/trading-endpoints, …/account-endpoints */

const ARCHIVED_AFTER_MS = 90 * 24 * 60 * 60 * 1000;
/** The pattern of a client order id: developers.binance.com/docs/binance-spot-api-docs/fix-api. */
const CLIENT_ORDER_ID = /^[a-zA-Z0-9-_]{1,36}$/;
const TYPES: Readonly<Record<string, string>> = { LIMIT: 'limit', MARKET: 'market' };
const SIDES: Readonly<Record<string, string>> = { BUY: 'buy', SELL: 'sell' };

/**
 * Docs: "New order". A client order id is unique among the open orders. The sandbox refuses `quoteOrderQty`, the size
 * of a market order in the quote asset.
 */
export function placeOrder(call: Call): unknown {
  const { symbol = '', side = '', type = '', quantity: volume = '', price = '', ...more } = call.params;
  const { newClientOrderId: clientOrderId = '', timeInForce, quoteOrderQty } = more;
  // A limit order requires "timeInForce, quantity, price". For a market order, Binance refuses `timeInForce` and
  // `price` with the error -1106 (parameter not required).
  const isComplete = type === 'LIMIT' ? timeInForce === 'GTC' : timeInForce === undefined && price === '';
  if (!isComplete || quoteOrderQty !== undefined || !CLIENT_ORDER_ID.test(clientOrderId)) {
    throw new Refusal('parameter_invalid');
  }
  const orderId = placeSpotOrder(call, {
    market: binanceMarkets.find(symbol),
    side: SIDES[side] ?? '',
    type: TYPES[type] ?? '',
    volume,
    price,
    clientOrderId,
  });
  return { symbol, orderId, orderListId: -1, clientOrderId, transactTime: call.now.getTime() };
}

function found(call: Call) {
  const { symbol = '', orderId: id, origClientOrderId: clientOrderId } = call.params;
  const ids = { symbol, id, clientOrderId, forgottenAfterMs: ARCHIVED_AFTER_MS };
  return findSpotOrder(call, { markets: binanceMarkets, ...ids });
}

/** Docs: "Query order". */
export function order(call: Call): unknown {
  const { side, type, limitPrice, ...one } = found(call);
  const states = { pending: 'NEW', open: one.isUntraded ? 'NEW' : 'PARTIALLY_FILLED', closed: 'FILLED' };
  return {
    symbol: one.symbol,
    orderId: one.id,
    orderListId: -1,
    clientOrderId: one.clientOrderId ?? '',
    price: limitPrice ?? '0',
    origQty: one.volume,
    executedQty: one.executedVolume,
    cummulativeQuoteQty: one.cost,
    status: { ...states, canceled: 'CANCELED', expired: 'EXPIRED' }[one.status],
    timeInForce: one.timeInForce,
    type: type.toUpperCase(),
    side: side.toUpperCase(),
    isWorking: true,
    time: one.openedAt,
    updateTime: one.closedAt ?? one.openedAt,
    selfTradePreventionMode: 'NONE',
  };
}

/** Docs: "Account trade list". The ledger has one sum of all executions of an order, so the list has one trade. */
export function trades(call: Call): unknown {
  const { fromId = '0' } = call.params;
  const { isUntraded, side, ...one } = found(call);
  if (isUntraded || Number(fromId) > 1) return [];
  return [
    {
      symbol: one.symbol,
      id: 1,
      orderId: one.id,
      orderListId: -1,
      price: one.averagePrice,
      qty: one.executedVolume,
      quoteQty: one.cost,
      commission: one.fee,
      commissionAsset: one.quote,
      time: one.closedAt ?? one.openedAt,
      isBuyer: side === 'buy',
      isMaker: false,
      isBestMatch: true,
    },
  ];
}
