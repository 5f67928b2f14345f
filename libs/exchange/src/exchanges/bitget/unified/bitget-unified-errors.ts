import {
  byMessage,
  errorMaps,
  ifNew,
  refused,
  UNKNOWN,
  usual,
  type ErrorRows,
} from '../../../capabilities/error-rows.js';
import { readErrors } from '../bitget-responses.js';

/**
 * www.bitget.com/api-doc/uta/error-code/restapi: the errors of the API for unified accounts (v3). Bitget: "Error code
 * values and meanings are not guaranteed to be identical between v2 and v3" (docs/classic/uta-api-upgrade-guide). So
 * this table has only codes of that page, and codes that were recorded with v3. A code that is not listed leaves the
 * outcome unknown. `ifNew` has the same meaning as in bitget-errors.ts. The page itself was not found: the texts of the
 * definite refusals were compared with Bitget's table of the same codes for its WebSocket
 * (www.bitget.com/legacy-docs/classic/contract/error-code/websocket, 28 September 2026), which lacks 40014.
 */
const general: ErrorRows = [
  // These codes leave the outcome unknown: faults, expired requests, and a duplicate of our id (25212). Page
  // uta/trade/Place-Order: after 40010, 40725 and 45001, "use `clientOid` to query the order details".
  ['25000 25001 25003 40008 40010 40725 45001 25212', UNKNOWN],
  ['429 25004', { grade: 'pause' }],
  ['40006', { grade: 'credentials', reason: 'unknown_key' }],
  ['40009', { grade: 'credentials', reason: 'invalid_signature', forEveryCopy: true }],
  // "Incorrect permissions, need UTA manage read" (recorded in msei99/pbgui)
  ['40014', { grade: 'permission', forEveryCopy: true }],
  ['25620', { grade: 'permission' }],
  // Only the table of v2 has these codes: "Invalid IP", "Server upgrade, please try again later". Like 40006, 40009 and
  // 40014, they are those of the gateway before both APIs. They prove nothing about a submission.
  ['40018', { grade: 'ip_not_allowed' }],
  ['40200', usual.maintenance],
  ['25006 25007 25008 25012', usual.accountLocked],
  // "You are in Classic Account mode, and the Unified Account API is not supported at this time" (recorded in
  // TraderAlice/OpenAlice and hummingbot); "The account is not the unified account mode".
  ['40084 25245', ifNew(undefined, 'classic_account')],
  // ccxt 4.5.84 and msei99/pbgui recorded 400172 with v3.
  ['40017 40034 25200 400172', ifNew(undefined, 'invalid_arguments')],
];

const calls: ErrorRows = [
  ['25204', ifNew('TRADING_ORDER_NOT_FOUND')],
  ['25110 25201', ifNew('DEPOSIT_METHODS_UNAVAILABLE')],
  // Only the table of v2 has this code: "Can only check the data of the last three months".
  ['40704', byMessage({ 'last three months': ifNew(undefined, 'forgotten') })],
];

const orders: ErrorRows = [
  ['25100', refused('TRADING_ROUTE_NOT_FOUND')],
  ['25013 25101 25102 25103 25106', ifNew('TRADING_ROUTE_UNAVAILABLE')],
  ['25202 25203', usual.noBalanceForOrder],
  ['25211', usual.tooManyOrders],
  ['25207', refused('GENERIC_VALIDATION_ERROR', 'below_minimum_volume')],
  ['25208', refused('GENERIC_VALIDATION_ERROR', 'above_maximum_volume')],
  ['25244', refused('GENERIC_VALIDATION_ERROR', 'invalid_tick_size')],
  ['25610', refused('GENERIC_VALIDATION_ERROR', 'invalid_precision')],
  // The minimum is an amount of the quote asset, which moves with the market.
  ['25611', ifNew('GENERIC_VALIDATION_ERROR', 'below_minimum_volume')],
  ['25205 25206', ifNew('GENERIC_VALIDATION_ERROR', 'price_limit')],
];

export const bitgetUnifiedErrors = errorMaps(readErrors, { general, calls, orders });
