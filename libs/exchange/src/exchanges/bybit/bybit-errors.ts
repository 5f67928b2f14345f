import { byMessage, errorMaps, ifNew, refused, UNKNOWN, usual, type ErrorRows } from '../../capabilities/error-rows.js';
import { readErrors } from './bybit-responses.js';

const invalidArguments = ifNew(undefined, 'invalid_arguments');
const noBalance = ifNew('WITHDRAWAL_INSUFFICIENT_BALANCE');

/**
 * bybit-exchange.github.io/docs/v5/error (24 July 2026). A code that is not listed leaves the outcome unknown. `ifNew`
 * marks refusals that the second copy of a request can get although Bybit executed the first copy: Bybit does not
 * document that it checks first whether a request is a repeat.
 */
const general: ErrorRows = [
  // 10014 = a duplicate request; -1 and 10002 = an expired time; the other codes are faults.
  ['-1 429 10000 10002 10014 10016', UNKNOWN],
  ['10006', { grade: 'pause' }],
  ['10003 10007', { grade: 'credentials' }],
  ['33004', { grade: 'credentials', reason: 'expired' }],
  // Bybit documents -2015 as "(Spot) Your api key has expired", but also sends it with "Invalid API-key, IP, or
  // permissions for action." (github.com/ccxt/ccxt/pull/10436), which cannot prove that the key is invalid.
  [
    '-2015',
    byMessage(
      { expired: { grade: 'credentials', reason: 'expired' } },
      { grade: 'permission', reason: 'key_ip_or_permission' },
    ),
  ],
  ['10004', { grade: 'credentials', reason: 'invalid_signature', forEveryCopy: true }],
  ['10005', { grade: 'permission', forEveryCopy: true }],
  ['10010', { grade: 'ip_not_allowed' }],
  ['10008 10027', usual.accountLocked],
  // Bybit until 28 May 2026: "IP has been banned"; since then: "Service Restricted: Access is currently unavailable for
  // your region." (docs/v5/error)
  ['10009', byMessage({ 'ip has been banned': usual.addressBlocked }, usual.locationBlocked)],
  ['10028', ifNew(undefined, 'account_mode')],
];

const calls: ErrorRows = [
  // Bybit refuses the second copy of a request, because its `timestamp` was used before. Bybit documents no code for
  // this refusal, so the code may be one of these.
  ['10001 131203', invalidArguments],
  ['131002', byMessage({ 'chain or destination tag': refused('WITHDRAWAL_INVALID_ADDRESS') }, invalidArguments)],
  // Bybit's page docs/faq: "131001 (Withdrawal amount is greater than your available balance (XXXX USDT))"
  ['131001', byMessage({ 'available balance': noBalance }, UNKNOWN)],
  ['131085 131212 131228', noBalance],
  ['131003 131082 131200 131201 131230', UNKNOWN],
  ['10024 131004 131065', usual.kycRequired],
  // "Beneficiary info is required": our requests have none, and the place of the account decides (asset/withdraw).
  ['131074', refused(undefined, 'travel_rule')],
  // The exchange that receives the withdrawal decides these refusals, and may accept another copy of the request.
  ['131067 131068 131069 131070 131071 131072 131073', usual.travelRule],
  ['131066', ifNew('WITHDRAWAL_INVALID_ADDRESS', 'address_suspended')],
  ['131081', refused('WITHDRAWAL_INVALID_ADDRESS', 'tag_not_supported')],
  ['131083 131093', refused('WITHDRAWAL_INVALID_ADDRESS', 'address_not_allowlisted')],
  ['131098', ifNew('WITHDRAWAL_INVALID_ADDRESS', 'address_not_confirmed')],
  ['131095', ifNew('WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM', 'daily_limit')],
  ['131086 131088', ifNew('WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM')],
  // Bybit: "does not satify the lower limit or upper limit". The message does not say which limit.
  ['131096', ifNew(undefined, 'amount_out_of_bounds')],
  ['131210', refused(undefined, 'amount_not_representable')],
  ['131097', ifNew(undefined, 'withdrawals_disabled')],
  ['131084 131090 131091 131092', usual.accountLocked],
  ['131087 131089 131226', ifNew(undefined, 'security_hold')],
];

const orders: ErrorRows = [
  // These codes leave the outcome open. 170141 = the order exists, and an earlier copy of the request may have made it;
  // 170035 = the order is still being processed; the other codes are faults of Bybit.
  ['170001 170007 170032 170035 170141 170146 170149 170234', UNKNOWN],
  ['170005 170222', { grade: 'pause' }],
  ['10001', invalidArguments],
  ['170105 170115 170116 170117 170130 170201', usual.invalidArguments],
  ['170121', refused('TRADING_ROUTE_NOT_FOUND')],
  // "The requested symbol is invalid, please check symbol whitelist": Bybit can change that list.
  ['10029', ifNew('TRADING_ROUTE_NOT_FOUND')],
  ['170151 170157 170159 170217', ifNew('TRADING_ROUTE_UNAVAILABLE')],
  ['170381 170382', refused('GENERIC_VALIDATION_ERROR', 'above_maximum_volume')],
  // "Request order quantity exceeds maximum limit" does not say whether the limit counts other orders. "Order amount
  // too large" may speak of the cost, which moves with the market for a market order.
  ['170124 170341', ifNew('GENERIC_VALIDATION_ERROR', 'above_maximum_volume')],
  ['170136', refused('GENERIC_VALIDATION_ERROR', 'below_minimum_volume')],
  ['170137 170148', refused('GENERIC_VALIDATION_ERROR', 'invalid_volume')],
  ['170134', refused('GENERIC_VALIDATION_ERROR', 'invalid_tick_size')],
  // The minimum cost of a market order and the limits of prices move with the market, so Bybit may have accepted an
  // earlier copy of the request.
  ['170140', ifNew('GENERIC_VALIDATION_ERROR', 'below_minimum_volume')],
  ['30208 30209 170132 170133 170192 170193 170194 170371 170372', ifNew('GENERIC_VALIDATION_ERROR', 'price_limit')],
  ['170033 170131', usual.noBalanceForOrder],
  ['170810', usual.tooManyOrders],
  // "This trading pair is only available to the {0} region."
  ['170209', usual.countryNotServed],
  ['10024 170219 170224 170241 170348', usual.notPermitted],
];

export const bybitErrors = errorMaps(readErrors, { general, calls, orders });
