import { byMessage } from '../../../capabilities/error-rows.js';
import type { ErrorMap, ErrorMeaning } from '../../../transport/error-map.js';
import { krakenErrorMap } from '../protocol/kraken-errors.js';

const UNFIT = (reason: string): ErrorMeaning => ({ grade: 'refused', code: 'GENERIC_VALIDATION_ERROR', reason });
const NOT_NOW = (reason: string): ErrorMeaning => ({ grade: 'refused', code: 'GENERIC_INVALID_REQUEST', reason });
const CLOSED = (reason: string): ErrorMeaning => ({ grade: 'refused', code: 'TRADING_ROUTE_UNAVAILABLE', reason });
const NO_MARKET_ORDERS: ErrorMeaning = {
  grade: 'refused',
  code: 'TRADING_ORDER_TYPE_NOT_SUPPORTED',
  reason: 'limit_only',
};
const SLOW_DOWN: ErrorMeaning = { grade: 'pause', forEveryCopy: true };
const NO_PAIR: ErrorMeaning = { grade: 'refused', code: 'TRADING_ROUTE_NOT_FOUND' };
const NOT_PERMITTED: ErrorMeaning = { grade: 'refused', reason: 'account_not_permitted' };
const MARGIN: ErrorMeaning = { grade: 'refused', reason: 'margin_refused' };
const NEEDS_CODE: ErrorMeaning = { grade: 'refused', reason: 'two_factor_required' };
/**
 * An order with our id exists. Another copy of this request may have made it, so the error does not prove that there is
 * no order.
 */
const ID_IN_USE: ErrorMeaning = { grade: 'unknown' };

/**
 * Errors of orders: https://docs.kraken.com/api/docs/guides/spot-errors (compared with the page of 27 May 2026) and
 * .../guides/spot-rest-ratelimits. The first page lacks the modes `limit_only` and `reduce_only`, `EQuery`, the codes
 * of two-factor keys and the arguments after `EGeneral:Invalid arguments`, which users of client libraries report. The
 * market modes ("Request can't be made at this time") are definite only because of the nonce (see `krakenErrors`).
 *
 * `EOrder:Reduce only:Position is closed` is left out, because the order was partly executed. Undocumented codes are
 * left out, too. A code that is not listed leaves the outcome unknown.
 */
const orders: ErrorMap['meanings'] = {
  // An order cannot carry a two-factor code, so Causeway cannot place orders with a key that needs such a code.
  'EAPI:Invalid OTP': NEEDS_CODE,
  'EAPI:OTP required': NEEDS_CODE,
  'EAuth:Account unconfirmed': { grade: 'refused', reason: 'account_unconfirmed' },
  // A restriction of the account, mostly by country: "EAccount:Invalid permissions:DOGE trading restricted for …".
  'EAccount:Invalid permissions': byMessage(
    { 'restricted for': { grade: 'refused', reason: 'country_not_served' } },
    NOT_PERMITTED,
  ),
  'EBM:limit exceeded': { grade: 'refused', reason: 'purchase_limit' },
  // Users of client libraries report "cl_ord_id not unique" for the id of an open order. An invalid format cannot be
  // the cause, because our ids always have the right format.
  'EGeneral:Invalid arguments:cl_ord_id': ID_IN_USE,
  'EGeneral:Invalid arguments:cl_ord_id not unique': ID_IN_USE,
  'EGeneral:Invalid arguments:ordertype': { grade: 'refused', code: 'TRADING_ORDER_TYPE_NOT_SUPPORTED' },
  'EGeneral:Invalid arguments:price': UNFIT('invalid_price'),
  'EGeneral:Invalid arguments:volume': UNFIT('invalid_volume'),
  'EGeneral:Invalid arguments:volume minimum not met': UNFIT('below_minimum_volume'),
  'EOrder:Cannot open opposing position': MARGIN,
  'EOrder:Cannot open position': MARGIN,
  'EOrder:Cost minimum not met': UNFIT('below_minimum_cost'),
  'EOrder:Domain rate limit exceeded': SLOW_DOWN,
  'EOrder:Insufficient funds': NOT_NOW('insufficient_balance'),
  'EOrder:Insufficient margin': MARGIN,
  'EOrder:Invalid price': UNFIT('invalid_price'),
  'EOrder:Margin allowance exceeded': MARGIN,
  'EOrder:Margin level too low': MARGIN,
  'EOrder:Margin position size exceeded': MARGIN,
  'EOrder:Order minimum not met': UNFIT('below_minimum_volume'),
  // This is the limit of open orders, and not of calls.
  'EOrder:Orders limit exceeded': NOT_NOW('too_many_open_orders'),
  'EOrder:Positions limit exceeded': MARGIN,
  'EOrder:Rate limit exceeded': SLOW_DOWN,
  'EOrder:Scheduled orders limit exceeded': NOT_NOW('too_many_open_orders'),
  'EOrder:Tick size check failed': UNFIT('invalid_tick_size'),
  'EQuery:Unknown asset': NO_PAIR,
  'EQuery:Unknown asset pair': NO_PAIR,
  'EService:Market in cancel_only mode': CLOSED('cancel_only'),
  // Kraken returns this error to a market order while the pair accepts only limit orders.
  'EService:Market in limit_only mode': NO_MARKET_ORDERS,
  'EService:Market in post_only mode': CLOSED('post_only'),
  'EService:Market in reduce_only mode': CLOSED('reduce_only'),
  // The text continues with "Try again after [timestamp]". The documentation has a space after the first colon, which
  // no other code has, so both spellings are listed.
  'EService: Throttled': SLOW_DOWN,
  'EService:Throttled': SLOW_DOWN,
};

/** The error map of new orders. After a definite refusal there is no order, for the reason given at `krakenErrors`. */
export const krakenOrderErrors = krakenErrorMap(orders);

/** The error map of reads of an order. */
export const krakenOrderReadErrors = krakenErrorMap({
  ...orders,
  'EOrder:Unknown order': { grade: 'refused', code: 'TRADING_ORDER_NOT_FOUND' },
});
