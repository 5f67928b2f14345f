import { all, fault, ifNew, order, refused, type Meaning } from '../../testing/contract/documented.js';
import { json, type DocumentedRefusal, type Reply } from '../../testing/contract/exchange-contract.js';

/** The refusals that Coinbase documents, for Coinbase's contract. */

type Row = readonly [status: number, code: string, meaning: Meaning, message?: string];

const kyc = ifNew('WITHDRAWAL_KYC_REQUIRED');
const invalid = (reason: string): Meaning => order(refused('GENERIC_VALIDATION_ERROR', reason));
const closed = order(ifNew('TRADING_ROUTE_UNAVAILABLE'));
const noBalance = order(ifNew('GENERIC_INVALID_REQUEST', 'insufficient_balance'));
const country = order(ifNew(undefined, 'country_not_served'));

/** Refusals of v2: coinbase-app/api-architecture/error-messages. The status 402 is from the page status-codes. */
const v2: Row[] = [
  [402, 'two_factor_required', refused('WITHDRAWAL_2FA_REQUIRED_TOTP')],
  [400, 'unverified_email', refused('WITHDRAWAL_EMAIL_UNVERIFIED')],
  [400, 'param_required', all(ifNew(undefined, 'invalid_arguments'))],
  [400, 'invalid_request', all(ifNew(undefined, 'invalid_arguments'))],
  // Coinbase: "Unable to validate POST/PUT". The documentation does not list what Coinbase validates.
  [400, 'validation_error', ifNew(undefined, 'invalid_arguments'), 'The amount is not possible now'],
  [400, 'validation_error', refused('WITHDRAWAL_INVALID_ADDRESS'), 'Please enter a valid email or bitcoin address'],
  [
    ...([400, 'validation_error', ifNew('WITHDRAWAL_INSUFFICIENT_BALANCE')] as const),
    'You don’t have enough funds in this account for this transaction. Please try again with a smaller amount.',
  ],
  [422, 'validation_error', ifNew(undefined, 'travel_rule'), "To financial institution can't be blank"],
  [400, 'personal_details_required', kyc],
  [400, 'identity_verification_required', kyc],
  [400, 'jumio_verification_required', kyc],
  [400, 'jumio_face_match_verification_required', kyc],
  [401, 'authentication_error', all(fault)],
  [401, 'invalid_token', all({ grade: 'credentials' })],
  [401, 'revoked_token', all({ grade: 'credentials', reason: 'revoked' })],
  [401, 'expired_token', all({ grade: 'credentials', reason: 'expired' })],
  [403, 'invalid_scope', all({ grade: 'permission' })],
  [404, 'not_found', all(ifNew(undefined, 'not_found'))],
  [429, 'rate_limit_exceeded', all({ grade: 'pause' })],
  [429, 'resource_exhausted', all({ grade: 'pause' })],
  [500, 'internal_server_error', all(fault)],
];

/** Refusals of v3 (Advanced Trade), with the codes of gRPC. */
const v3: Row[] = [
  [400, 'INVALID_ARGUMENT', all(refused(undefined, 'invalid_arguments'))],
  [401, 'unauthorized', all(fault)],
  [401, 'UNAUTHENTICATED', all(fault)],
  [403, 'PERMISSION_DENIED', all({ grade: 'permission' }), 'Target Account Not Tradable'],
  [500, 'INTERNAL', all(fault)],
  [503, 'UNAVAILABLE', all(fault)],
  [504, 'DEADLINE_EXCEEDED', all(fault)],
  // A failing gateway may send a body that belongs to another response.
  [502, 'PERMISSION_DENIED', all(fault)],
];

/** Coinbase's page orders/create-order: reasons in `error_response`. All come with HTTP 200. */
const refusedOrders: (readonly [reason: string, meaning: Meaning])[] = [
  ['INVALID_PRODUCT_ID', order(refused('TRADING_ROUTE_NOT_FOUND'))],
  ['PREVIEW_INVALID_PRODUCT_ID', order(refused('TRADING_ROUTE_NOT_FOUND'))],
  ['INVALID_SIDE', invalid('invalid_side')],
  ['PREVIEW_INVALID_SIDE', invalid('invalid_side')],
  ['UNSUPPORTED_ORDER_CONFIGURATION', order(ifNew('TRADING_ORDER_TYPE_NOT_SUPPORTED'))],
  ['PREVIEW_INVALID_ORDER_CONFIG', order(ifNew('TRADING_ORDER_TYPE_NOT_SUPPORTED'))],
  ['INVALID_SIZE_PRECISION', invalid('invalid_volume')],
  ['PREVIEW_INVALID_SIZE_PRECISION', invalid('invalid_volume')],
  ['PREVIEW_INVALID_BASE_SIZE_TOO_SMALL', invalid('below_minimum_volume')],
  ['PREVIEW_INVALID_QUOTE_SIZE_TOO_SMALL', invalid('below_minimum_volume')],
  ['INVALID_PRICE_PRECISION', invalid('invalid_tick_size')],
  ['PREVIEW_INVALID_PRICE_PRECISION', invalid('invalid_tick_size')],
  ['INELIGIBLE_PAIR', closed],
  ['ORDER_ENTRY_DISABLED', closed],
  ['UNTRADABLE_PRODUCT', closed],
  ['PREVIEW_UNTRADABLE_PRODUCT', closed],
  ['TRADING_DISABLED', closed],
  ['PREVIEW_TRADING_DISABLED', closed],
  ['PRODUCT_TRADING_HALTED', closed],
  ['PREVIEW_PRODUCT_TRADING_HALTED', closed],
  ['PREVIEW_NOT_ALLOWED_BY_MARKET_STATE', closed],
  ['INSUFFICIENT_FUND', noBalance],
  ['INSUFFICIENT_FUNDS', noBalance],
  ['PREVIEW_INSUFFICIENT_FUND', noBalance],
  ['PREVIEW_INSUFFICIENT_LEDGER_BALANCE', noBalance],
  ['GEOFENCING_RESTRICTION', country],
  ['PREVIEW_GEOFENCING_RESTRICTION', country],
  ['PREVIEW_COMPLIANCE_PURCHASE_LIMIT_EXCEEDED', order(ifNew(undefined, 'purchase_limit'))],
  // An earlier copy of the request may have placed the order with our id.
  ['DUPLICATE_CLIENT_ORDER_ID', order(fault)],
  ['UNKNOWN_FAILURE_REASON', order(fault)],
];

export const inV2 = (status: number, id: string, message = 'a refusal'): Reply =>
  json({ errors: [{ id, message }] }, status);
export const inV3 = (status: number, error: string, message = 'a refusal'): Reply =>
  json({ error, code: 7, message }, status);
const refusedOrder = (reason: string): Reply => {
  const isPreview = reason.startsWith('PREVIEW_');
  return json({
    success: false,
    error_response: {
      error: isPreview ? 'UNKNOWN_FAILURE_REASON' : reason,
      message: 'a refusal',
      error_details: '',
      preview_failure_reason: isPreview ? reason : 'UNKNOWN_PREVIEW_FAILURE_REASON',
      new_order_failure_reason: isPreview ? 'UNKNOWN_FAILURE_REASON' : reason,
    },
  });
};

export const coinbaseRefusals: readonly DocumentedRefusal[] = [
  ...v2.map(([status, id, meaning, text = id]) => ({
    name: `${status} ${text}`,
    reply: inV2(status, id, text),
    ...meaning,
  })),
  ...v3.map(([status, id, meaning, text = id]) => ({
    name: `v3: ${status} ${id}`,
    reply: inV3(status, id, text),
    ...meaning,
  })),
  ...refusedOrders.map(([reason, meaning]) => ({ name: reason, reply: refusedOrder(reason), ...meaning })),
];
