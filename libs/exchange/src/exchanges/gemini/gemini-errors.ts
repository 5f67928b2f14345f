import { byMessage, ifNew, errorMaps, refused, UNKNOWN, usual, type ErrorRows } from '../../capabilities/error-rows.js';
import { NO_ASSETS, readErrors } from './gemini-responses.js';

/**
 * developer.gemini.com/error-codes (25 February 2026), which has all definite refusals of this table, and the responses
 * of each operation. The nonce "has to be a number that will never be repeated and must increase … to prevent an
 * attacker who has captured a previous request from simply replaying that request"
 * (developer.gemini.com/authentication/api-key). Gemini therefore refuses a second copy of an accepted request with
 * InvalidNonce. Every other error is the response to the first copy. A key with a "time based nonce" is another case:
 * Gemini compares its nonces only with the clock, in seconds. Ours are in milliseconds, so Gemini refuses every call
 * with such a key.
 */
const general: ErrorRows = [
  [
    'InvalidNonce',
    byMessage(
      // Recorded in github.com/ccxt/ccxt/issues/19320
      { 'is not within 30 seconds of server time': ifNew(undefined, 'time_based_nonce') },
      { ...UNKNOWN, retryable: true },
    ),
  ],
  ['InvalidSignature', { grade: 'credentials', reason: 'invalid_signature', forEveryCopy: true }],
  ['InvalidApiKey', { grade: 'credentials' }],
  ['MissingRole', { grade: 'permission', forEveryCopy: true }],
  ['ApiKeyIpFilteringFailure RemoteAddressForbidden', { grade: 'ip_not_allowed' }],
  ['RateLimit TooManyRequests', { grade: 'pause' }],
  ['System InternalServerError', UNKNOWN],
  ['Maintenance', usual.maintenance],
  ['AccountClosed', ifNew(undefined, 'account_locked')],
  // The key belongs to a group of accounts ("master"), or to an account of another type.
  [
    'MissingAccountName MissingAccounts MoreThanOneAccount InvalidAccountName InvalidAccountType ' +
      'AccountNotOfTypeRequired NoAccountOfTypeRequired AccountsOnGroupOnlyApi NotGroupApiCompatible',
    refused(undefined, 'account_not_permitted'),
  ],
];

const calls: ErrorRows = [
  ['OrderNotFound', ifNew('TRADING_ORDER_NOT_FOUND')],
  ['UnsupportedNetwork', ifNew('DEPOSIT_METHODS_UNAVAILABLE')],
  [NO_ASSETS, ifNew(undefined, NO_ASSETS)],
];

const orders: ErrorRows = [
  ['InsufficientFunds', refused('GENERIC_INVALID_REQUEST', 'insufficient_balance')],
  ['InvalidSymbol', refused('TRADING_ROUTE_NOT_FOUND')],
  ['MarketNotOpen', refused('TRADING_ROUTE_UNAVAILABLE')],
  [
    'InvalidPrice InvalidQuantity InvalidSide InvalidOrderType MissingOrderField ConflictingOptions ' +
      'OptionsMustBeArray UnsupportedOption ClientOrderIdTooLong ClientOrderIdMustBeString',
    refused(undefined, 'invalid_arguments'),
  ],
];

export const geminiErrors = errorMaps(readErrors, { general, calls, orders });
