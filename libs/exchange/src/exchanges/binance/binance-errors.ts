import { byMessage, errorMaps, ifNew, refused, UNKNOWN, usual, type ErrorRows } from '../../capabilities/error-rows.js';
import { readErrors } from './binance-responses.js';

/**
 * developers.binance.com/docs/wallet/error-code (January 2026), with the change log of 28 April 2026 for -4106. A code
 * that is not listed leaves the outcome unknown. The page has no code for a withdrawal that lacks the data of the
 * travel rule, so the connector asks Binance before each withdrawal whether the data are required. `ifNew` marks
 * refusals that the second copy of a request can get although Binance executed the first copy: Binance does not
 * document that it rejects a repeated reference.
 */
const general: ErrorRows = [
  ['-1000 -1001 -1004 -1006 -1007 -1008 -1016 -1021', UNKNOWN],
  // Users report {"code": 0, "msg": "Service unavailable from a restricted location according to 'b. Eligibility' …"}
  // with the status 451 (github.com/ccxt/ccxt/issues/19167).
  ['0', byMessage({ 'restricted location': usual.locationBlocked })],
  // "The system is under maintenance, please try again later." ccxt 4.5.84 (`binance.exceptions`) has the code 1, too.
  ['-10001', usual.maintenance],
  ['1', byMessage({ 'under maintenance': usual.maintenance })],
  // "This coin is currently not supported in your location due to local regulations."
  ['-10047', usual.countryNotServed],
  ['-1003 -1015', { grade: 'pause' }],
  ['-1002', { grade: 'permission' }],
  // -2015: "Invalid API-key, IP, or permissions for action." One code for three causes cannot prove that the key is
  // invalid. Binance does not document -2008, "Invalid Api-Key ID.", and users also report it for keys that work
  // (github.com/ccxt/ccxt/issues/11045).
  ['-2008 -2015', { grade: 'permission', reason: 'key_ip_or_permission' }],
  ['-2014', { grade: 'credentials' }],
  ['-1022', { grade: 'credentials', reason: 'invalid_signature', forEveryCopy: true }],
  ['-1100 -1101 -1102 -1103 -1104 -1105 -1106 -1111 -1128 -1130 -1131', usual.invalidArguments],
];

const calls: ErrorRows = [
  ['-3000 -3044 -4027 -4032', UNKNOWN],
  ['-4005', { grade: 'pause' }],
  ['-4047', usual.invalidArguments],
  ['-3001 -4013', refused(undefined, 'two_factor_disabled')],
  ['-4006', refused(undefined, 'sub_account')],
  ['-4007 -4033', refused('WITHDRAWAL_INVALID_ADDRESS')],
  ['-4008', refused('WITHDRAWAL_INVALID_ADDRESS', 'tag_invalid')],
  // "TAG_NOT_SUPPORTED_FOR_NETWORK", since 28 April 2026: the tag of the request and the network decide.
  ['-4106', refused('WITHDRAWAL_INVALID_ADDRESS', 'tag_not_supported')],
  // "Please note that withdrawals are not permitted due to travel rule restrictions": users report this code, which the
  // page lacks (github.com/binance/binance-connector-java/issues/137).
  ['-4104', usual.travelRule],
  ['-4034', ifNew('WITHDRAWAL_INVALID_ADDRESS', 'suspicious_address')],
  ['-4035', refused('WITHDRAWAL_INVALID_ADDRESS', 'address_not_allowlisted')],
  ['-4014 -4016 -4017 -4036', ifNew(undefined, 'security_hold')],
  ['-4015', usual.accountLocked],
  ['-4018', refused('WITHDRAWAL_ASSET_NOT_SUPPORTED')],
  ['-4019', ifNew('WITHDRAWAL_ASSET_NOT_SUPPORTED', 'withdrawals_disabled')],
  ['-4021', refused(undefined, 'amount_not_representable')],
  ['-4022', refused('WITHDRAWAL_AMOUNT_BELOW_MINIMUM')],
  // The minimum depends on the fee, which changes, so Binance may have accepted an earlier copy of the request.
  ['-4028', ifNew('WITHDRAWAL_AMOUNT_BELOW_MINIMUM')],
  ['-4023', ifNew('WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM', 'daily_limit')],
  ['-4024 -4025 -4026', ifNew('WITHDRAWAL_INSUFFICIENT_BALANCE')],
  ['-4060', ifNew('WITHDRAWAL_INSUFFICIENT_BALANCE', 'deposit_unconfirmed')],
  ['-4044', ifNew('DEPOSIT_ADDRESS_UNAVAILABLE', 'country_not_served')],
  ['-4042 -4043', ifNew('DEPOSIT_ADDRESS_UNAVAILABLE')],
  // Binance can publish an agreement after it has accepted an earlier copy of the request.
  ['-4046', ifNew(undefined, 'agreement_not_confirmed')],
  // -2026: "Order was canceled or expired with no executed qty over 90 days ago and has been archived."
  ['-2013 -2026', ifNew('TRADING_ORDER_NOT_FOUND')],
];

/**
 * developers.binance.com/docs/binance-spot-api-docs/errors (July 2026): "Filter failures", and the messages of orders.
 * `ifNew` marks refusals that the second copy of a request can get although Binance executed the first copy: Binance
 * refuses a repeated order id only while the first order is open.
 */
const orders: ErrorRows = [
  ['-1114 -1115 -1117 -1118', usual.invalidArguments],
  ['-1014 -1116', refused('TRADING_ORDER_TYPE_NOT_SUPPORTED')],
  ['-1121', refused('TRADING_ROUTE_NOT_FOUND')],
  [
    '-1013 -2010',
    byMessage({
      // The first copy of this request may have placed the order.
      'Duplicate order sent': UNKNOWN,
      'insufficient balance': usual.noBalanceForOrder,
      'Filter failure: LOT_SIZE | Price * QTY is zero or less': refused('GENERIC_VALIDATION_ERROR', 'invalid_volume'),
      'Filter failure: PRICE_FILTER': refused('GENERIC_VALIDATION_ERROR', 'invalid_tick_size'),
      // These limits move with the market (the volume of a market order, the cost and the price of an order), so
      // Binance may have accepted an earlier copy of the request.
      'Filter failure: MARKET_LOT_SIZE | Filter failure: NOTIONAL': ifNew('GENERIC_VALIDATION_ERROR', 'invalid_volume'),
      'Filter failure: PERCENT_PRICE': ifNew('GENERIC_VALIDATION_ERROR', 'price_limit'),
      'Filter failure: MIN_NOTIONAL': ifNew('GENERIC_VALIDATION_ERROR', 'below_minimum_volume'),
      'Filter failure: MAX_POSITION': ifNew('GENERIC_VALIDATION_ERROR', 'above_maximum_volume'),
      'Filter failure: MAX_NUM_ORDERS | Filter failure: EXCHANGE_MAX_NUM_ORDERS': usual.tooManyOrders,
      'Market is closed': ifNew('TRADING_ROUTE_UNAVAILABLE'),
      'Market orders are not supported | Unsupported order combination': refused('TRADING_ORDER_TYPE_NOT_SUPPORTED'),
      'This action is disabled on this account | This account may not place or cancel orders': usual.accountLocked,
      'This symbol is not permitted for this account | This symbol is restricted for this account': usual.notPermitted,
    }),
  ],
];

// Binance: "HTTP 4XX return codes are used for malformed requests"; after 5XX "the execution status is UNKNOWN".
export const binanceErrors = errorMaps(readErrors, { general, calls, orders }, { refusesOnlyWith4xx: true });
