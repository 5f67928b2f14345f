import { errorMaps, ifNew, refused, UNKNOWN, usual, type ErrorRows } from '../../capabilities/error-rows.js';
import { readErrors } from './bitget-responses.js';

/**
 * www.bitget.com/api-doc/spot/error-code/restapi. The definite refusals were compared with the same table of Bitget's
 * in www.bitget.com/legacy-docs/classic/contract/error-code/restapi (28 September 2026), which has all of them. A code
 * that is not listed leaves the outcome unknown. `ifNew` marks refusals that the second copy of a request can get
 * although Bitget executed the first copy: Bitget does not document that it checks first whether our id is a repeat.
 */
const general: ErrorRows = [
  // Bitget: "During the regular release time window, the RestAPI may return 45001, 40725, 40808 or 40015" (common/faq).
  ['40015 40725 40808 45001', UNKNOWN],
  // These codes leave the outcome unknown: expired requests, faults, and a duplicate of our id (43118, 45034), which an
  // earlier copy of the request may have used.
  ['40005 40008 40010 43118 45034', UNKNOWN],
  // "Server upgrade, please try again later"
  ['40200', usual.maintenance],
  ['429 13001 70228', { grade: 'pause' }],
  ['40006', { grade: 'credentials', reason: 'unknown_key' }],
  ['40036', { grade: 'credentials', reason: 'invalid_passphrase' }],
  ['40012 40037 40041', { grade: 'credentials' }],
  ['40009', { grade: 'credentials', reason: 'invalid_signature', forEveryCopy: true }],
  ['40014', { grade: 'permission', forEveryCopy: true }],
  ['40018 40038', { grade: 'ip_not_allowed' }],
  // Bitget: "Please bind ip whitelist address". The key itself is valid.
  ['22010', { grade: 'permission' }],
  ['40013 40022 40023 40024 40026 40710 50012 50013 50023 50064', usual.accountLocked],
  ['40025', usual.notPermitted],
  // "You are in Unified Account mode, and the Classic Account API is not supported at this time": recorded in
  // github.com/ccxt/ccxt/issues/26838. The page lacks this code.
  ['40085', ifNew(undefined, 'unified_account')],
  ['40019 48002', usual.invalidArguments],
  // The messages leave open whether the parameters themselves or the state of the exchange caused the refusal, so
  // Bitget may have accepted an earlier copy of the request.
  ['00171 00172 40017 40020 40034 43011 43111 48001 400172', ifNew(undefined, 'invalid_arguments')],
  ['40035 40101', usual.kycRequired],
];

const calls: ErrorRows = [
  ['11000 47003 70217', refused('WITHDRAWAL_INVALID_ADDRESS', 'address_not_allowlisted')],
  ['43116', refused('WITHDRAWAL_INVALID_ADDRESS', 'tag_missing')],
  ['43121', refused('WITHDRAWAL_INVALID_ADDRESS', 'own_address')],
  ['47002', ifNew('WITHDRAWAL_INVALID_ADDRESS')],
  ['43114', refused('WITHDRAWAL_AMOUNT_BELOW_MINIMUM')],
  // The minimum depends on the fee, which changes, so Bitget may have accepted an earlier copy of the request.
  ['43112', ifNew('WITHDRAWAL_AMOUNT_BELOW_MINIMUM')],
  ['43125', refused(undefined, 'amount_not_representable')],
  // "withdraw step is error" leaves open whether the amount or a step of the withdrawal is the cause.
  ['43124', ifNew(undefined, 'amount_not_representable')],
  ['13212', refused('WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM')],
  ['13004 43113 70213', ifNew('WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM', 'daily_limit')],
  ['70219', ifNew('WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM', 'monthly_limit')],
  ['13006 40754 40937 43012 50078 70226', ifNew('WITHDRAWAL_INSUFFICIENT_BALANCE')],
  ['13002', refused('WITHDRAWAL_ASSET_NOT_SUPPORTED')],
  ['40021 42015 43126 70208', ifNew(undefined, 'withdrawals_disabled')],
  ['40027', usual.kycRequired],
  ['40016', refused(undefined, 'two_factor_not_set')],
  ['40052', ifNew(undefined, 'security_hold')],
  ['13005', ifNew('DEPOSIT_ADDRESS_UNAVAILABLE')],
  ['42014 42017 47001', ifNew('DEPOSIT_METHODS_UNAVAILABLE')],
  // The page lacks 40768. It is "Order does not exist" in ccxt 4.5.84 (`bitget.exceptions`) and in JKorf/Bitget.Net.
  ['40109 40768 43001', ifNew('TRADING_ORDER_NOT_FOUND')],
  // Bitget: "Can only check the data of the last three months"
  ['40704', ifNew(undefined, 'forgotten')],
];

const orders: ErrorRows = [
  ['40078', UNKNOWN],
  ['40102', refused('TRADING_ROUTE_NOT_FOUND')],
  // "Invalid or not supported spot trade" leaves open whether the symbol or a decision of Bitget's is the cause.
  ['42016', ifNew('TRADING_ROUTE_NOT_FOUND')],
  ['22004 41113 41114 43115 43119 43120 45043 50027', ifNew('TRADING_ROUTE_UNAVAILABLE')],
  ['40754 43012', usual.noBalanceForOrder],
  ['40723 40761 43005 43128', usual.tooManyOrders],
  ['43006 45111', refused('GENERIC_VALIDATION_ERROR', 'below_minimum_volume')],
  // The minimum is in USDT. For another quote asset it moves with the market, so Bitget may have accepted an earlier
  // copy of the request.
  ['43010 43027 43037 45110 45114', ifNew('GENERIC_VALIDATION_ERROR', 'below_minimum_volume')],
  ['43007 45112', refused('GENERIC_VALIDATION_ERROR', 'above_maximum_volume')],
  ['43028 45035 45115', refused('GENERIC_VALIDATION_ERROR', 'invalid_tick_size')],
  ['43008 43009 43039 43040', ifNew('GENERIC_VALIDATION_ERROR', 'price_limit')],
  ['70227', usual.notPermitted],
];

export const bitgetErrors = errorMaps(readErrors, { general, calls, orders });
