import { byMessage, ifNew, errorMaps, refused, UNKNOWN, usual, type ErrorRows } from '../../capabilities/error-rows.js';
import type { ErrorMeaning } from '../../transport/error-map.js';
import { readErrors, TEXT } from './bitstamp-responses.js';

const noPermission: ErrorMeaning = { grade: 'permission', forEveryCopy: true };
const invalidSignature: ErrorMeaning = { grade: 'credentials', reason: 'invalid_signature', forEveryCopy: true };
const wrongKeyFormat: ErrorMeaning = { grade: 'credentials', forEveryCopy: true };
const tooFewFunds = refused('GENERIC_INVALID_REQUEST', 'insufficient_balance');

/**
 * www.bitstamp.net/api, "Possible authentication errors", "Response codes", and the "Possible errors" of each
 * operation. The codes of the definite refusals were compared with a copy of Bitstamp's OpenAPI file (2026, without a
 * date), which has all of them. Texts that the page lacks are those of the responses in ccxt 4.5.84
 * (`bitstamp.exceptions`). Each nonce "can be used only once within a timeframe of 150 seconds", and a request is
 * refused when its "timestamp is more than 150 seconds from current server time". Bitstamp therefore refuses a second
 * copy of an accepted request with API0004 or API0017. Every other error is the response to the first copy, except
 * states of the account and of the market: Bitstamp does not document that it checks the nonce before them, and they
 * can change after an earlier copy of the request was executed (`ifNew`).
 */
const general: ErrorRows = [
  ['API0001 API0008', { grade: 'credentials' }],
  ['API0011', wrongKeyFormat],
  ['API0005', invalidSignature],
  ['API0002', { grade: 'ip_not_allowed' }],
  ['API0003', noPermission],
  // API0004 = a used nonce; API0017 = a timestamp that is too old or too new.
  ['API0004 API0017', UNKNOWN],
  ['API0006', ifNew(undefined, 'account_locked')],
  ['API0009', ifNew(undefined, 'account_not_permitted')],
  ['400.002', { grade: 'pause' }],
  // "User verification failed."
  ['403.001', ifNew(undefined, 'kyc_required')],
  ['500.001 500.002 500.003 500.007', UNKNOWN],
];

const texts: Readonly<Record<string, ErrorMeaning>> = {
  'api key not found': { grade: 'credentials' },
  'authentication failed': { grade: 'credentials' },
  'wrong api key format': wrongKeyFormat,
  'invalid signature': invalidSignature,
  'ip address not allowed': { grade: 'ip_not_allowed' },
  'no permission found': noPermission,
  'invalid nonce': UNKNOWN,
  'account is frozen': ifNew(undefined, 'account_locked'),
  'user not verified': ifNew(undefined, 'kyc_required'),
  'scheduled maintenance': usual.maintenance,
};

const calls: ErrorRows = [
  ['404.002', ifNew('TRADING_ORDER_NOT_FOUND')],
  ['404.006', ifNew('DEPOSIT_METHODS_UNAVAILABLE')],
  [
    TEXT,
    byMessage({
      ...texts,
      'order not found': ifNew('TRADING_ORDER_NOT_FOUND'),
      'invalid network selection': ifNew('DEPOSIT_METHODS_UNAVAILABLE'),
      'deposits are currently disabled': ifNew('DEPOSIT_METHODS_UNAVAILABLE'),
    }),
  ],
];

const orders: ErrorRows = [
  // "Trading for provided market is disabled."
  ['400.003', ifNew('TRADING_ROUTE_UNAVAILABLE')],
  ['400.001 400.004 400.005 400.006 400.007 400.008 400.026 400.041', refused(undefined, 'invalid_arguments')],
  ['400.009', tooFewFunds],
  // 400.019 = an order with our id exists. An earlier copy of the request may have placed that order.
  ['400.019', UNKNOWN],
  ['400.020 400.046', refused('GENERIC_VALIDATION_ERROR', 'below_minimum_volume')],
  ['400.021', refused('GENERIC_VALIDATION_ERROR', 'price_limit')],
  ['400.037 400.038 400.039', refused('GENERIC_VALIDATION_ERROR', 'above_maximum_volume')],
  // The type of the account: "Trading is not allowed on lending account", "… on collateral account".
  ['403.002 403.003', refused(undefined, 'account_not_permitted')],
  // "Trading is blocked for user."
  ['403.004', usual.notPermitted],
  ['404.003 404.007', refused('TRADING_ROUTE_NOT_FOUND')],
  ['500.013 500.016 500.017', UNKNOWN],
  [
    TEXT,
    byMessage({
      ...texts,
      'check your account balance': tooFewFunds,
      'minimum order size': refused('GENERIC_VALIDATION_ERROR', 'below_minimum_volume'),
      'maximum market': refused('GENERIC_VALIDATION_ERROR', 'above_maximum_volume'),
      'price is more than': refused('GENERIC_VALIDATION_ERROR', 'price_limit'),
      'enter a number': refused(undefined, 'invalid_arguments'),
      'ensure that there are no more than': refused(undefined, 'invalid_arguments'),
      'missing amount and/or price': refused(undefined, 'invalid_arguments'),
      'trading is currently unavailable for your account': usual.notPermitted,
      // The message continues: "perhaps due to internal error or trade halt". So the order may have been placed.
      'order could not be placed': UNKNOWN,
    }),
  ],
];

export const bitstampErrors = errorMaps(readErrors, { general, calls, orders });
