import { byMessage, errorMaps, ifNew, refused, UNKNOWN, usual, type ErrorRows } from '../../capabilities/error-rows.js';
import { readErrors } from './okx-responses.js';

const ACCOUNT_MODE = refused(undefined, 'account_mode');

/**
 * www.okx.com/docs-v5/en/#error-code-rest-api (27 June 2026), in English and Chinese. A code that is not listed leaves
 * the outcome unknown. `ifNew` marks refusals that the second copy of a request can also get although the first copy
 * was executed: OKX does not document that it first checks whether our id is a repeat. A refusal is definite only if it
 * follows from the request and from settings of the owner: the Chinese text shows that some refusals are temporary
 * ("暂"), or concern users who "continue" to withdraw ("继续提币").
 */
const general: ErrorRows = [
  ['50000 50002 50006 50014 50015 50016 50024', usual.invalidArguments],
  // "Parameter {param0} error". OKX may refuse our own id (`clientId`, `clOrdId`) because an earlier copy has used it.
  // OKX refuses the `tdMode` of our orders in the modes of an account that know no orders without margin. The message
  // does not show whether another parameter is malformed, or names an asset or chain that OKX no longer serves.
  [
    '51000',
    byMessage({ clientId: UNKNOWN, clOrdId: UNKNOWN, tdMode: ACCOUNT_MODE }, ifNew(undefined, 'invalid_arguments')),
  ],
  ['50004 50013 50026 50042 50102 50112', UNKNOWN],
  // "Service temporarily unavailable. Please try again later."; "This feature is temporarily unavailable while we make
  // some improvements to it."
  ['50001 50046', usual.maintenance],
  // "Due to compliance restrictions in your country or region, you cannot use this feature."; "Due to local laws and
  // regulations, you cannot trade with your chosen crypto."
  ['50051 50052', usual.countryNotServed],
  // "User blocked."; "This account is restricted from trading."; "Your account has triggered OKX risk control".
  ['50007 50027 50029', usual.accountLocked],
  // "Account status invalid. Check account status"; "… complete additional steps as required by your local regulators."
  ['50012', usual.accountLocked],
  ['50059', usual.notPermitted],
  ['50011 50040 50061 58102', { grade: 'pause' }],
  ['50030 50120', { grade: 'permission', forEveryCopy: true }],
  ['50100', { grade: 'permission' }],
  ['50035 50110', { grade: 'ip_not_allowed' }],
  // "You can't access our services through the IP address ({param0})"
  ['50121', usual.addressBlocked],
  // The key belongs to another of OKX's regional sites, or to demo trading.
  ['50101', { grade: 'credentials', reason: 'other_environment' }],
  ['50105', { grade: 'credentials', reason: 'invalid_passphrase' }],
  // 50119 "API key doesn't exist" is not proof that the key was revoked: a site returns it also for keys of another
  // regional site (github.com/okxapi/python-okx/issues/118).
  ['50111 50119', { grade: 'credentials', reason: 'unknown_key' }],
  ['50114', { grade: 'credentials' }],
  ['50113', { grade: 'credentials', reason: 'invalid_signature', forEveryCopy: true }],
];

const calls: ErrorRows = [
  ['58004 58204 58217', usual.accountLocked],
  ['58219 58252', ifNew(undefined, 'security_hold')],
  ['58008 58350', ifNew('WITHDRAWAL_INSUFFICIENT_BALANCE')],
  ['58229', ifNew('WITHDRAWAL_INSUFFICIENT_BALANCE_FOR_FEE')],
  // OKX: "is currently not supported" (58200, 58010 in Chinese: "该链暂不支持"), "is delisted" (58226). This can change,
  // so OKX may have accepted an earlier copy.
  ['58010 58200 58226', ifNew('WITHDRAWAL_NETWORK_NOT_SUPPORTED')],
  ['58214', ifNew(undefined, 'network_suspended')],
  // OKX: "Withdrawals not supported yet"
  ['58013', ifNew(undefined, 'withdrawals_disabled')],
  // OKX in Chinese: the limits of a single withdrawal ("单笔").
  ['58205', refused('WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM')],
  ['58201 58256 58258', ifNew('WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM', 'daily_limit')],
  ['58257', ifNew('WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM', 'monthly_limit')],
  ['58206', refused('WITHDRAWAL_AMOUNT_BELOW_MINIMUM')],
  ['58203 58207', refused('WITHDRAWAL_INVALID_ADDRESS', 'address_not_allowlisted')],
  ['58221', refused('WITHDRAWAL_INVALID_ADDRESS', 'tag_missing')],
  ['58222', refused('WITHDRAWAL_INVALID_ADDRESS')],
  // OKX: "currently doesn't support"
  ['58224', ifNew(undefined, 'internal_address')],
  ['58208', refused('WITHDRAWAL_EMAIL_UNVERIFIED')],
  ['58209', refused(undefined, 'sub_account')],
  // OKX: "unable to verify your identity", "currently unavailable", in Chinese "暂时禁用" (58248). These reasons can
  // change, so OKX may have accepted an earlier copy.
  ['58210 58248 58249', ifNew(undefined, 'app_only')],
  ['50060 58011 58230 58232 58233 58235 58240', usual.kycRequired],
  ['58237 58238 58239 58254', usual.travelRule],
  ['58301', ifNew('DEPOSIT_ADDRESS_UNAVAILABLE', 'no_address')],
  ['58303', ifNew('DEPOSIT_METHODS_UNAVAILABLE')],
  ['58305', ifNew('DEPOSIT_ADDRESS_UNAVAILABLE', 'kyc_required')],
  ['51603', ifNew('TRADING_ORDER_NOT_FOUND')],
];

const orders: ErrorRows = [
  // The deadline has passed for this copy (50036, 50037), or an order with our id exists (50071, 51016), which an
  // earlier copy may have made.
  ['50036 50037 50071 51016 51149', UNKNOWN],
  ['51001 51021', refused('TRADING_ROUTE_NOT_FOUND')],
  ['51005', refused('GENERIC_VALIDATION_ERROR', 'above_maximum_volume')],
  ['51020 51120', refused('GENERIC_VALIDATION_ERROR', 'below_minimum_volume')],
  ['51121', refused('GENERIC_VALIDATION_ERROR', 'invalid_volume')],
  ['51150', refused('GENERIC_VALIDATION_ERROR', 'invalid_tick_size')],
  // OKX's price limits follow the market, so OKX may have accepted an earlier copy of the order.
  ['51006 51116 51137 51138', ifNew('GENERIC_VALIDATION_ERROR', 'price_limit')],
  ['51008 51127 51131', usual.noBalanceForOrder],
  ['51102 51103 51174', usual.tooManyOrders],
  ['51010', ACCOUNT_MODE],
  ['51024', usual.accountLocked],
  // "please complete the identity verification process"; "KYC level 2 or above is required for placing orders" (OKX's
  // change log of 7 April 2026)
  ['50060 59113', ifNew(undefined, 'kyc_required')],
  // "set to prohibit transactions in this currency"; "verify trading this instrument is allowed under account settings"
  ['50032 50033', usual.notPermitted],
  // "Trading of this pair or contract is restricted due to local compliance requirements."
  ['51155', usual.countryNotServed],
];

// OKX: "51008_1000, where 51008 is the error code and 1000 is the error sub-code."
const shorterCode = (code: string): string | null => (code.includes('_') ? (code.split('_')[0] ?? null) : null);

export const okxErrors = errorMaps(readErrors, { general, calls, orders }, { shorterCode });
