import { byMessage } from '../../capabilities/error-rows.js';
import type { ErrorMap, ErrorMeaning } from '../../transport/error-map.js';
import { readErrorCodes, readWarnings } from './kraken-responses.js';

type Meanings = ErrorMap['meanings'];

const INVALID_KEY: ErrorMeaning = { grade: 'credentials' };
const INVALID_SIGNATURE: ErrorMeaning = { ...INVALID_KEY, reason: 'invalid_signature' };
/**
 * A rate limit of the key or of our address. Kraken may check the limits before it checks the nonce, so the error
 * proves nothing about an earlier copy of the request.
 */
const SLOW_DOWN: ErrorMeaning = { grade: 'pause' };
const NOT_PERMITTED: ErrorMeaning = { grade: 'permission', forEveryCopy: true };
/**
 * States of the account, which Kraken may check before the nonce, as it checks the key. They can begin after an earlier
 * copy of the request was executed.
 */
const LOCKED: ErrorMeaning = { grade: 'refused_if_new', reason: 'account_locked' };
const ACCOUNT_NOT_PERMITTED: ErrorMeaning = { grade: 'refused_if_new', reason: 'account_not_permitted' };
const UNKNOWN_ASSET: ErrorMeaning = { grade: 'refused', code: 'WITHDRAWAL_ASSET_NOT_SUPPORTED' };
const OTHER_ADDRESS: ErrorMeaning = { grade: 'refused', code: 'WITHDRAWAL_INVALID_ADDRESS' };
const NEEDS_TOTP: ErrorMeaning = { grade: 'refused', code: 'WITHDRAWAL_2FA_REQUIRED_TOTP' };
const MALFORMED: ErrorMeaning = { grade: 'refused', reason: 'invalid_arguments' };
/** A failure of the service. As the response to a submission, it leaves the outcome unknown. */
const FAULT: ErrorMeaning = { grade: 'unknown' };
/**
 * Kraken: "The matching engine or API is offline". In a response to a submission, it leaves the outcome unknown, too.
 */
const OFFLINE: ErrorMeaning = { grade: 'unknown', reason: 'maintenance' };

/**
 * Errors that every kind of request can get, before or during its execution. Compared with
 * https://docs.kraken.com/api/docs/guides/spot-errors (27 May 2026). That page has some names without a text, and lacks
 * `EAPI:Bad request`, `EAPI:Feature disabled`, `EGeneral:Unknown method`, `ETrade:Locked` and `ETrade:User Locked`.
 */
const general: Meanings = {
  // Kraken also returns this error for valid keys during outages. Kraken checks the key before the nonce, so the error
  // proves nothing about an earlier copy of the request.
  'EAPI:Invalid key': INVALID_KEY,
  // The secret is wrong, or the owner added a second factor to the key (Kraken's article on two-factor for API keys).
  'EAPI:Invalid signature': { ...INVALID_SIGNATURE, forEveryCopy: true },
  // This error proves nothing about the key. If we called the key invalid, the wallet might be disconnected. Kraken can
  // disable the feature after it has executed an earlier copy of the request.
  'EAPI:Feature disabled': { grade: 'refused_if_new', reason: 'feature_disabled' },
  // Kraken: "Less than or equal to the last accepted nonce". A second copy of an executed request gets this error.
  'EAPI:Invalid nonce': { grade: 'unknown', retryable: true },
  'EAPI:Rate limit exceeded': SLOW_DOWN,
  // Kraken: "if there are too many concurrent requests. Try again after [timestamp]" (guides/spot-rest-ratelimits,
  // among the limits of REST, and not of the trading engine). The documentation has a space after the first colon,
  // which no other code has, so both spellings are listed.
  'EService: Throttled': SLOW_DOWN,
  'EService:Throttled': SLOW_DOWN,
  'EAPI:Bad request': MALFORMED,
  'EAuth:Rate limit exceeded': SLOW_DOWN,
  'EAuth:Too many requests': SLOW_DOWN,
  'EAuth:Account temporary disabled': LOCKED,
  'EGeneral:Internal error': FAULT,
  'EGeneral:Invalid arguments': MALFORMED,
  'EGeneral:Permission denied': NOT_PERMITTED,
  'EGeneral:Temporary lockout': SLOW_DOWN,
  'EGeneral:Too many requests': SLOW_DOWN,
  'EGeneral:Unknown method': MALFORMED,
  'EService:Unavailable': OFFLINE,
  'EService:Busy': FAULT,
  // The order may have been placed all the same: https://docs.kraken.com/exchange/guides/general/errors
  'EService:Deadline elapsed': FAULT,
  'EDatabase:Internal error': FAULT,
  // Client libraries have this name from Kraken's article on error messages.
  'ETrade:Locked': LOCKED,
  'ETrade:User Locked': LOCKED,
};

/**
 * Errors of the funding system. The page spot-errors has only `EAccount:Invalid permissions`, `EAuth:Account
 * unconfirmed`, `EBM:limit exceeded:CAL` and `EFunding:Max fee exceeded`. The others are from the reference of the
 * endpoints and from reports by users of client libraries: no text of Kraken's was found for them.
 */
const funding: Meanings = {
  // Kraken does not document how it demands the code of a key with two-factor authentication. Clients know these
  // errors. No page says that Kraken checks the code after the nonce. A code may work only once, so the second copy of
  // an executed request may get `Invalid OTP`. A request without a code is refused in every copy.
  'EAPI:Invalid OTP': { ...NEEDS_TOTP, grade: 'refused_if_new' },
  'EAPI:OTP required': NEEDS_TOTP,
  'EAuth:Account unconfirmed': { grade: 'refused', code: 'WITHDRAWAL_EMAIL_UNVERIFIED' },
  // "EAccount:Invalid permissions:DOGE trading restricted for …": the country of the account. Kraken has no text for
  // the code alone. Its first part names the account, and not the key.
  'EAccount:Invalid permissions': byMessage(
    { 'restricted for': { grade: 'refused_if_new', reason: 'country_not_served' } },
    ACCOUNT_NOT_PERMITTED,
  ),
  'EBM:limit exceeded': { grade: 'refused', code: 'WITHDRAWAL_KYC_REQUIRED' },
  'EFunding:Duplicate withdraw key': { grade: 'refused', code: 'WITHDRAWAL_FUNDING_ADDRESS_CONFLICT' },
  'EFunding:Insufficient funds': { grade: 'refused', code: 'WITHDRAWAL_INSUFFICIENT_BALANCE' },
  'EFunding:Invalid address': OTHER_ADDRESS,
  'EFunding:Invalid withdrawal address': OTHER_ADDRESS,
  // The amount is below the minimum. For an amount above the balance, Kraken returns "Insufficient funds". An amount
  // above the withdrawal limit was refused before, when it was quoted.
  'EFunding:Invalid amount': { grade: 'refused', code: 'WITHDRAWAL_AMOUNT_BELOW_MINIMUM', reason: 'invalid_amount' },
  'EFunding:Max fee exceeded': { grade: 'refused', reason: 'fee_changed' },
  'EFunding:No funding method': { grade: 'refused', code: 'WITHDRAWAL_NETWORK_NOT_SUPPORTED' },
  'EFunding:Too many addresses': { grade: 'refused', code: 'WITHDRAWAL_TOO_MANY_ADDRESSES' },
  'EFunding:Unknown asset': UNKNOWN_ASSET,
  'EFunding:Unknown withdraw key': { ...OTHER_ADDRESS, reason: 'address_not_allowlisted' },
  'EQuery:Unknown asset': UNKNOWN_ASSET,
};

/** Removes the details after the last colon, as in `EBM:limit exceeded:CAL`; null = the code contains no details. */
function shorterCode(code: string): string | null {
  const end = code.lastIndexOf(':');
  return end <= 0 ? null : code.slice(0, end);
}

/** Makes the error map of one kind of request: its own error codes, and the general ones. */
function krakenErrorMap(own: Meanings): ErrorMap {
  return {
    // The code contains the message, as in `EAccount:Invalid permissions:DOGE trading restricted for …`.
    errorsIn: (body) => readErrorCodes(body).map((code) => ({ code, message: code })),
    warningsIn: readWarnings,
    meanings: { ...general, ...own },
    shorterCode,
  };
}

/**
 * The error map of all calls except new orders. A refusal by Kraken's funding system proves that Kraken did not execute
 * the withdrawal, because Kraken checks the nonce before a request reaches that system. A second copy of an executed
 * withdrawal therefore gets `EAPI:Invalid nonce`, never "insufficient funds". This holds for keys whose nonce window is
 * 0. For a larger window, the documentation does not promise that Kraken refuses a used nonce, so nothing is submitted
 * with such a key (`requireNoNonceWindow`).
 */
export const krakenErrors = krakenErrorMap(funding);

/**
 * The error map of a withdrawal that carries a code. Kraken's article on two-factor for API keys names `EAPI:Invalid
 * signature` for a wrong code, and the code of an executed first copy may be a wrong one for the second copy.
 */
export const errorsWithCode = krakenErrorMap({ ...funding, 'EAPI:Invalid signature': INVALID_SIGNATURE });

const UNFIT = (reason: string): ErrorMeaning => ({ grade: 'refused', code: 'GENERIC_VALIDATION_ERROR', reason });
const NOT_NOW = (reason: string): ErrorMeaning => ({ grade: 'refused', code: 'GENERIC_INVALID_REQUEST', reason });
const CLOSED = (reason: string): ErrorMeaning => ({ grade: 'refused', code: 'TRADING_ROUTE_UNAVAILABLE', reason });
const NO_MARKET_ORDERS: ErrorMeaning = {
  grade: 'refused',
  code: 'TRADING_ORDER_TYPE_NOT_SUPPORTED',
  reason: 'limit_only',
};
const TOO_MANY_ORDERS: ErrorMeaning = { grade: 'pause', forEveryCopy: true };
const NO_PAIR: ErrorMeaning = { grade: 'refused', code: 'TRADING_ROUTE_NOT_FOUND' };
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
    ACCOUNT_NOT_PERMITTED,
  ),
  'EBM:limit exceeded': { grade: 'refused', reason: 'purchase_limit' },
  // Users of client libraries report "cl_ord_id not unique" for the id of an open order. An invalid format cannot be
  // the cause, because our ids always have the right format. So every error that names the id counts as that error.
  'EGeneral:Invalid arguments': byMessage({ cl_ord_id: ID_IN_USE }, MALFORMED),
  'EGeneral:Invalid arguments:ordertype': { grade: 'refused', code: 'TRADING_ORDER_TYPE_NOT_SUPPORTED' },
  'EGeneral:Invalid arguments:price': UNFIT('invalid_price'),
  'EGeneral:Invalid arguments:volume': UNFIT('invalid_volume'),
  'EGeneral:Invalid arguments:volume minimum not met': UNFIT('below_minimum_volume'),
  'EOrder:Cannot open opposing position': MARGIN,
  'EOrder:Cannot open position': MARGIN,
  'EOrder:Cost minimum not met': UNFIT('below_minimum_cost'),
  'EOrder:Domain rate limit exceeded': TOO_MANY_ORDERS,
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
  'EOrder:Rate limit exceeded': TOO_MANY_ORDERS,
  'EOrder:Scheduled orders limit exceeded': NOT_NOW('too_many_open_orders'),
  'EOrder:Tick size check failed': UNFIT('invalid_tick_size'),
  // Kraken: "returned when accounts that are registered in Germany attempt to place orders" without the parameter
  // `trading_agreement` (support.kraken.com, article 360000920026). The owner has to agree, so it is not sent.
  'EOrder:Trading agreement required': { grade: 'refused', reason: 'agreement_not_confirmed' },
  'EQuery:Unknown asset': NO_PAIR,
  'EQuery:Unknown asset pair': NO_PAIR,
  'EService:Market in cancel_only mode': CLOSED('cancel_only'),
  // Kraken returns this error to a market order while the pair accepts only limit orders.
  'EService:Market in limit_only mode': NO_MARKET_ORDERS,
  'EService:Market in post_only mode': CLOSED('post_only'),
  'EService:Market in reduce_only mode': CLOSED('reduce_only'),
};

/** The error map of new orders. After a definite refusal there is no order, for the reason given at `krakenErrors`. */
export const krakenOrderErrors = krakenErrorMap(orders);

/** The error map of reads of an order. */
export const krakenOrderReadErrors = krakenErrorMap({
  ...orders,
  'EOrder:Unknown order': { grade: 'refused', code: 'TRADING_ORDER_NOT_FOUND' },
});
