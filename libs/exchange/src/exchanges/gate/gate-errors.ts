import { byMessage, errorMaps, ifNew, refused, UNKNOWN, usual, type ErrorRows } from '../../capabilities/error-rows.js';
import { readErrors } from './gate-responses.js';

/**
 * www.gate.com/docs/developers/apiv4/#label-list. A label that is not listed leaves the outcome unknown. `ifNew` marks
 * refusals that the second copy of a request can get although Gate executed the first copy: Gate does not document that
 * it checks first whether our id is a repeat.
 */
const general: ErrorRows = [
  // These labels leave the outcome unknown: an expired time, faults, and an order that exists already. An earlier copy
  // of the request may have placed that order.
  ['REQUEST_EXPIRED INTERNAL SERVER_ERROR INTERNAL_SERVER_ERROR TOO_BUSY SERVER_TIMEOUT', UNKNOWN],
  ['DUPLICATE_REQUEST ORDER_EXISTS REPEATED_CREATION', UNKNOWN],
  ['TOO_MANY_REQUESTS TOO_FAST', { grade: 'pause' }],
  ['INVALID_KEY INVALID_CREDENTIALS', { grade: 'credentials' }],
  ['INVALID_SIGNATURE', { grade: 'credentials', reason: 'invalid_signature', forEveryCopy: true }],
  ['READ_ONLY', { grade: 'permission', forEveryCopy: true }],
  // Gate documents IP_FORBIDDEN as "Request IP not in whitelist", and also sends FORBIDDEN with this text.
  ['FORBIDDEN', byMessage({ 'ip not in whitelist': { grade: 'ip_not_allowed' } }, { grade: 'permission' })],
  ['IP_FORBIDDEN', { grade: 'ip_not_allowed' }],
  ['ACCOUNT_LOCKED ACCOUNT_EXCEPTION SUB_ACCOUNT_LOCKED', usual.accountLocked],
  ['MISSING_REQUIRED_PARAM MISSING_REQUIRED_HEADER', usual.invalidArguments],
  ['INVALID_REQUEST_BODY INVALID_CONTENT_TYPE NOT_ACCEPTABLE', usual.invalidArguments],
  // These labels leave open whether the parameters themselves or the state of the exchange caused the refusal, so Gate
  // may have accepted an earlier copy of the request.
  ['INVALID_PARAM_VALUE INVALID_PROTOCOL INVALID_ARGUMENT BAD_REQUEST', ifNew(undefined, 'invalid_arguments')],
  ['ORDER_NOT_FOUND', ifNew('TRADING_ORDER_NOT_FOUND')],
];

const orders: ErrorRows = [
  ['INVALID_CURRENCY INVALID_CURRENCY_PAIR', refused('TRADING_ROUTE_NOT_FOUND')],
  ['INVALID_CLIENT_ORDER_ID', usual.invalidArguments],
  ['INVALID_PRECISION', refused('GENERIC_VALIDATION_ERROR', 'invalid_precision')],
  ['AMOUNT_TOO_LITTLE', refused('GENERIC_VALIDATION_ERROR', 'below_minimum_volume')],
  ['AMOUNT_TOO_MUCH', refused('GENERIC_VALIDATION_ERROR', 'above_maximum_volume')],
  ['BALANCE_NOT_ENOUGH', usual.noBalanceForOrder],
  ['TOO_MANY_ORDERS', usual.tooManyOrders],
  ['TRADE_RESTRICTED INITIAL_MARGIN_TOO_LOW', usual.notPermitted],
];

// Gate: "For all abnormal requests, APIv4 will return non-2xx status code".
export const gateErrors = errorMaps(readErrors, { general, calls: [], orders }, { refusesOnlyWith4xx: true });
