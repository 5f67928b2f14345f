import { Amount } from '#money';
import { fault, ifNew, refused, type Meaning } from '../../testing/contract/documented.js';
import type { SampleOrder } from '../../testing/contract/exchange-contract.js';

const states = {
  ...{ open: 'NEW', 'partly executed': 'PARTIALLY_FILLED', filled: 'FILLED', canceled: 'CANCELED' },
  'unheard of': 'NEVER_SEEN',
} as const;

const costOf = ({ executed, averagePrice }: SampleOrder): string =>
  Amount.of(executed).times(Amount.of(averagePrice)).toString();

/** developers.binance.com/docs/binance-spot-api-docs/rest-api/account-endpoints: Query order */
export function binanceOrder(order: SampleOrder): object {
  const { exchangeId, clientOrderId, at, state, volume, limitPrice: price, executed } = order;
  return {
    ...{ symbol: 'BTCUSDT', orderId: Number(exchangeId), orderListId: -1, clientOrderId, price },
    ...{ origQty: volume, executedQty: executed, cummulativeQuoteQty: costOf(order), status: states[state] },
    ...{ timeInForce: 'GTC', type: 'LIMIT', side: 'BUY', stopPrice: '0.0', icebergQty: '0.0', isWorking: true },
    ...{ time: at.getTime(), updateTime: at.getTime() + 1, workingTime: at.getTime() },
    ...{ origQuoteOrderQty: '0.000000', selfTradePreventionMode: 'NONE' },
  };
}

/** Binance's page account-endpoints, "Account trade list". The fee is in `commissionAsset`. */
export function binanceTrades(order: SampleOrder): object[] {
  const { exchangeId, at, executed, averagePrice, fee, feeAsset } = order;
  if (executed === '0') return [];
  return [
    {
      ...{ symbol: 'BTCUSDT', id: 28457, orderId: Number(exchangeId), orderListId: -1, price: averagePrice },
      ...{ qty: executed, quoteQty: costOf(order), commission: fee, commissionAsset: feeAsset },
      ...{ time: at.getTime(), isBuyer: true, isMaker: false, isBestMatch: true },
    },
  ];
}

const invalidVolume = refused('GENERIC_VALIDATION_ERROR', 'invalid_volume');
const tooMany = ifNew('GENERIC_INVALID_REQUEST', 'too_many_open_orders');
const notSupported = refused('TRADING_ORDER_TYPE_NOT_SUPPORTED');

/** developers.binance.com/docs/binance-spot-api-docs/errors: "Filter failures" (-1013) and the messages of -2010. */
export const binanceOrderRefusals: readonly (readonly [code: number, message: string, meaning: Meaning])[] = [
  [-1013, 'Filter failure: PRICE_FILTER', refused('GENERIC_VALIDATION_ERROR', 'invalid_tick_size')],
  [-1013, 'Filter failure: PERCENT_PRICE', ifNew('GENERIC_VALIDATION_ERROR', 'price_limit')],
  [-1013, 'Filter failure: LOT_SIZE', invalidVolume],
  [-1013, 'Filter failure: MIN_NOTIONAL', ifNew('GENERIC_VALIDATION_ERROR', 'below_minimum_volume')],
  [-1013, 'Filter failure: NOTIONAL', ifNew('GENERIC_VALIDATION_ERROR', 'invalid_volume')],
  [-1013, 'Filter failure: MARKET_LOT_SIZE', ifNew('GENERIC_VALIDATION_ERROR', 'invalid_volume')],
  [-1013, 'Filter failure: MAX_POSITION', ifNew('GENERIC_VALIDATION_ERROR', 'above_maximum_volume')],
  [-1013, 'Filter failure: MAX_NUM_ORDERS', tooMany],
  [-1013, 'Filter failure: EXCHANGE_MAX_NUM_ORDERS', tooMany],
  // TRAILING_DELTA concerns trailing stop orders, which we do not place.
  [-1013, 'Filter failure: TRAILING_DELTA', fault],
  [-2010, 'Unknown order sent.', fault],
  [-2010, 'Duplicate order sent.', fault],
  [-2010, 'Market is closed.', ifNew('TRADING_ROUTE_UNAVAILABLE')],
  [
    -2010,
    'Account has insufficient balance for requested action.',
    ifNew('GENERIC_INVALID_REQUEST', 'insufficient_balance'),
  ],
  [-2010, 'Market orders are not supported for this symbol.', notSupported],
  [-2010, 'Unsupported order combination', notSupported],
  [-2010, 'Price * QTY is zero or less.', invalidVolume],
  [-2010, 'This action is disabled on this account.', ifNew(undefined, 'account_locked')],
  [-2010, 'This account may not place or cancel orders.', ifNew(undefined, 'account_locked')],
  [-2010, 'This symbol is not permitted for this account.', ifNew(undefined, 'account_not_permitted')],
  [-2010, 'This symbol is restricted for this account.', ifNew(undefined, 'account_not_permitted')],
  [-2010, 'Rest API trading is not enabled.', fault],
];
