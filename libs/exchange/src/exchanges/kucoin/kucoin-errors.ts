import { byMessage, errorMaps, ifNew, refused, UNKNOWN, usual, type ErrorRows } from '../../capabilities/error-rows.js';
import type { ErrorMeaning } from '../../transport/error-map.js';
import { readErrors } from './kucoin-responses.js';

const NO_PERMISSION: ErrorMeaning = { grade: 'permission', forEveryCopy: true };

/**
 * Codes: www.kucoin.com/docs/basic-info/errors-code/spot-errors-code and www.kucoin.com/docs-new/error-code/websocket
 * ("Gateway error code"). Of the definite refusals, 400005, 400007, 400010 and 900001 were compared with a copy of
 * KuCoin's list of error codes (docs-new, without a date), and 260325 and "incorrect withdrawal address" with copies of
 * the page of withdrawals. The list lacks 900014, 600100 and the other messages of 400100: they are those of the
 * responses in ccxt 4.5.84 (`kucoin.exceptions`). A code that is not listed leaves the outcome unknown. `ifNew` marks
 * refusals that the second copy of a request can also get because the first copy was executed: KuCoin does not document
 * that it rejects repeats.
 */
const general: ErrorRows = [
  // A missing header, or "Please check the URL of your request", says nothing about the key.
  ['400001 400002 500000', UNKNOWN],
  // Users report "Our services are currently unavailable in the U.S. … (current ip: … and current area: US)" with 401.
  ['400302', usual.locationBlocked],
  // "Operation restricted due to local laws, regulations, or policies"
  ['400301', usual.countryNotServed],
  ['400003', { grade: 'credentials', reason: 'unknown_key' }],
  ['400004', { grade: 'credentials', reason: 'invalid_passphrase' }],
  ['400005', { grade: 'credentials', reason: 'invalid_signature', forEveryCopy: true }],
  ['400006', { grade: 'ip_not_allowed' }],
  ['400007 400010', NO_PERMISSION],
  ['400008 400009', { grade: 'credentials', reason: 'key_version' }],
  ['429000', { grade: 'pause' }],
  ['200002', byMessage({ 'too many requests': { grade: 'pause' } })],
  ['411100', usual.accountLocked],
];

/**
 * KuCoin's own support explains "request parameter illegal" with a balance that is too low
 * (github.com/Kucoin/kucoin-php-sdk/issues/110), so the code 400100 is a definite refusal only with a message that
 * `cases` lists as one.
 */
const parameters = (cases: Readonly<Record<string, ErrorMeaning>>): ErrorRows => [
  ['400100', byMessage(cases, ifNew(undefined, 'invalid_arguments'))],
];

const calls: ErrorRows = [
  ...parameters({
    'account.available.amount': ifNew('WITHDRAWAL_INSUFFICIENT_BALANCE'),
    'amount is below the minimum': refused('WITHDRAWAL_AMOUNT_BELOW_MINIMUM'),
    'amount increment is invalid': refused(undefined, 'amount_not_representable'),
    'incorrect withdrawal address': refused('WITHDRAWAL_INVALID_ADDRESS'),
    order_not_exist: ifNew('TRADING_ORDER_NOT_FOUND'),
    'order not exist': ifNew('TRADING_ORDER_NOT_FOUND'),
    'order does not exist': ifNew('TRADING_ORDER_NOT_FOUND'),
  }),
  // 102436 is "Unknown order" in JKorf/Kucoin.Net (KucoinErrors.cs), which also has 102426, a duplicate of our id. The
  // latter is not listed here, because an earlier copy of the request may have placed the order.
  ['102436 order_not_exist', ifNew('TRADING_ORDER_NOT_FOUND')],
  ['200004 230003 260100', ifNew('WITHDRAWAL_INSUFFICIENT_BALANCE')],
  ['260000', ifNew('DEPOSIT_ADDRESS_UNAVAILABLE', 'address_exists')],
  // KuCoin: "Currency/Chain withdraw is closed, or user is frozen to withdraw"
  ['260210', ifNew(undefined, 'withdrawals_disabled')],
  ['260220', ifNew('DEPOSIT_ADDRESS_UNAVAILABLE', 'no_address')],
  ['260325', refused('WITHDRAWAL_INVALID_ADDRESS', 'address_not_allowlisted')],
  ['400303 126047', usual.kycRequired],
  ['900014', refused('WITHDRAWAL_NETWORK_NOT_SUPPORTED')],
];

const orders: ErrorRows = [
  ...parameters({
    // An earlier copy of the request may have placed the order.
    clientOidDuplicated: UNKNOWN,
    'account.available.amount': usual.noBalanceForOrder,
    'below the minimum': refused('GENERIC_VALIDATION_ERROR', 'below_minimum_volume'),
    // The text leaves open whether the symbol or a decision of KuCoin's is the cause.
    'unsupported trading pair': ifNew('TRADING_ROUTE_NOT_FOUND'),
  }),
  ['200001 400600', ifNew('TRADING_ROUTE_UNAVAILABLE')],
  ['200003', usual.tooManyOrders],
  ['200004', usual.noBalanceForOrder],
  ['200009 400303', ifNew(undefined, 'kyc_required')],
  ['400200', byMessage({ 'forbidden to place an order': usual.notPermitted })],
  // "Your located country/region is currently not supported for the trading of this token"
  ['400500', usual.countryNotServed],
  ['400700', usual.accountLocked],
  [
    '600100',
    byMessage({
      // The cost of a market order moves with the market, so KuCoin may have accepted an earlier copy of the request.
      'funds below the minimum': ifNew('GENERIC_VALIDATION_ERROR', 'below_minimum_volume'),
      'size increment invalid': refused('GENERIC_VALIDATION_ERROR', 'invalid_volume'),
      'below the minimum': refused('GENERIC_VALIDATION_ERROR', 'below_minimum_volume'),
    }),
  ],
  // "Symbol XXX-XXX cant be traded"
  ['600203', ifNew('TRADING_ROUTE_UNAVAILABLE')],
  ['900001', refused('TRADING_ROUTE_NOT_FOUND')],
];

export const kucoinErrors = errorMaps(readErrors, { general, calls, orders });
