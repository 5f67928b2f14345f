import { z } from 'zod';
import { byMessage, errorMaps, ifNew, refused, UNKNOWN, type ErrorRows } from '../../capabilities/error-rows.js';
import { name } from '../../capabilities/response-fields.js';
import type { ReportedError } from '../../transport/error-map.js';
import { readErrors } from './coinbase-responses.js';

const NOT_PERMITTED = { grade: 'permission' } as const;
const INVALID = 'invalid_arguments';
/**
 * "Invalid auth (generic)". Coinbase also returns it for a wrong clock, and at times for valid keys
 * (https://github.com/coinbase/coinbase-advanced-py/issues/132), so it proves nothing.
 */
const NOT_AUTHENTICATED = { ...UNKNOWN, reason: 'not_authenticated' };

const general: ErrorRows = [
  ['invalid_token', { grade: 'credentials' }],
  // The only code that is documented for revoked tokens alone.
  ['revoked_token', { grade: 'credentials', reason: 'revoked' }],
  // A refresh token may still renew it.
  ['expired_token', { grade: 'credentials', reason: 'token_expired' }],
  ['authentication_error unauthorized UNAUTHENTICATED', NOT_AUTHENTICATED],
  ['invalid_scope PERMISSION_DENIED', NOT_PERMITTED],
  ['rate_limit_exceeded resource_exhausted', { grade: 'pause' }],
  ['INVALID_ARGUMENT param_required', refused(undefined, INVALID)],
  ['invalid_request', ifNew(undefined, INVALID)],
  ['not_found', refused(undefined, 'not_found')],
];

/**
 * docs.cdp.coinbase.com/coinbase-app/api-architecture/error-messages. The documentation says that a repeat of `idem`
 * returns the previous transaction, but not whether Coinbase looks for it before it checks the balance. It does look for
 * it before it demands a code: the flow of `two_factor_required` (oauth2-integration/2fa) is a repeat of the request.
 */
const calls: ErrorRows = [
  ['two_factor_required', refused('WITHDRAWAL_2FA_REQUIRED_TOTP')],
  ['personal_details_required identity_verification_required', refused('WITHDRAWAL_KYC_REQUIRED')],
  ['jumio_verification_required jumio_face_match_verification_required', refused('WITHDRAWAL_KYC_REQUIRED')],
  ['unverified_email', refused('WITHDRAWAL_EMAIL_UNVERIFIED')],
  [
    'validation_error',
    byMessage(
      {
        'enter a valid email or bitcoin address': refused('WITHDRAWAL_INVALID_ADDRESS'),
        // https://github.com/coinbase/coinbase-php/issues/157
        'enough funds': ifNew('WITHDRAWAL_INSUFFICIENT_BALANCE'),
      },
      ifNew(undefined, INVALID),
    ),
  ],
];

const arguments_ = (reason: string) => refused('GENERIC_VALIDATION_ERROR', reason);

/** advanced-trade-api/rest-api/orders/create-order: `NewOrderFailureReason` and `PreviewFailureReason`. */
const orders: ErrorRows = [
  ['INVALID_PRODUCT_ID PREVIEW_INVALID_PRODUCT_ID', refused('TRADING_ROUTE_NOT_FOUND')],
  ['INVALID_SIDE PREVIEW_INVALID_SIDE', arguments_('invalid_side')],
  ['UNSUPPORTED_ORDER_CONFIGURATION PREVIEW_INVALID_ORDER_CONFIG', refused('TRADING_ORDER_TYPE_NOT_SUPPORTED')],
  ['INVALID_SIZE_PRECISION PREVIEW_INVALID_SIZE_PRECISION', arguments_('invalid_volume')],
  ['PREVIEW_INVALID_BASE_SIZE_TOO_SMALL PREVIEW_INVALID_QUOTE_SIZE_TOO_SMALL', arguments_('below_minimum_volume')],
  ['INVALID_PRICE_PRECISION PREVIEW_INVALID_PRICE_PRECISION', arguments_('invalid_tick_size')],
  ['INELIGIBLE_PAIR ORDER_ENTRY_DISABLED UNTRADABLE_PRODUCT', ifNew('TRADING_ROUTE_UNAVAILABLE')],
  ['INSUFFICIENT_FUND PREVIEW_INSUFFICIENT_FUND', ifNew('GENERIC_INVALID_REQUEST', 'insufficient_balance')],
];

const failure = z.object({
  success: z.literal(false),
  error_response: z.looseObject({ message: z.string().optional() }),
});

/** A refused order has the status 200. The reasons begin with UNKNOWN_ where Coinbase names none. */
function readOrderErrors(body: unknown): ReportedError[] {
  const { success, data } = failure.safeParse(body);
  if (!success) return readErrors(body);
  const { message, ...reasons } = data.error_response;
  const all = [reasons['new_order_failure_reason'], reasons['preview_failure_reason'], reasons['error']];
  const codes = all.map((code) => name.safeParse(code).data).filter((code) => code !== undefined);
  const code = codes.find((one) => !one.startsWith('UNKNOWN_')) ?? 'UNKNOWN_FAILURE_REASON';
  return [{ code, message }];
}

const table = { general, calls, orders };
const refusesWith = (status: number): boolean => status >= 400 && status < 500;

export const coinbaseErrors = {
  calls: errorMaps(readErrors, table, { refusesWith }).calls,
  orders: errorMaps(readOrderErrors, table).orders,
};
