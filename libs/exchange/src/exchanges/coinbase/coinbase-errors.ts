import { z } from 'zod';
import { fieldOf } from '../../capabilities/entry-fields.js';
import { errorReader } from '../../capabilities/envelope.js';
import { byMessage, errorMaps, ifNew, refused, UNKNOWN, usual, type ErrorRows } from '../../capabilities/error-rows.js';
import { name } from '../../capabilities/response-fields.js';
import type { ReportedError } from '../../transport/error-map.js';

const v2Errors = fieldOf('errors', z.array(z.looseObject({ id: name })));
const readV2Error = errorReader({ code: 'id', codeForm: name, message: 'message' });
const readV3Errors = errorReader({ code: 'error', codeForm: name, message: 'message' });

/** v2 responds with `{"errors": [{"id", "message"}]}`, v3 with `{"error", "message", …}`. */
const readErrors = (body: unknown): ReportedError[] =>
  v2Errors.safeParse(body).data?.flatMap(readV2Error) ?? readV3Errors(body);

const notPlaced = z.object({ success: z.literal(false), error_response: z.looseObject({}) });
/** The reason of a refused order. A text that begins with UNKNOWN_ states no reason. */
const reason = name.regex(/^(?!UNKNOWN_)/);
const readReasons = ['new_order_failure_reason', 'preview_failure_reason', 'error'].map((field) =>
  errorReader({ code: `error_response.${field}`, codeForm: reason, message: 'error_response.message' }),
);

/** Reads the errors of a new order. Coinbase refuses an order with the HTTP status 200. */
function readOrderErrors(body: unknown): ReportedError[] {
  if (!notPlaced.safeParse(body).success) return readErrors(body);
  const [first = { code: 'UNKNOWN_FAILURE_REASON' }] = readReasons.flatMap((read) => read(body));
  return [first];
}

const INVALID = 'invalid_arguments';

const general: ErrorRows = [
  ['invalid_token', { grade: 'credentials' }],
  // This is the only documented code that always means that the token was revoked.
  ['revoked_token', { grade: 'credentials', reason: 'revoked' }],
  // The access token has expired. The refresh token may still obtain a new one.
  ['expired_token', { grade: 'credentials', reason: 'expired' }],
  // Coinbase: "Invalid auth (generic)". Coinbase also returns this error for a wrong clock, and at times for valid keys
  // (https://github.com/coinbase/coinbase-advanced-py/issues/132), so it does not prove that the key or token is
  // invalid.
  ['authentication_error unauthorized UNAUTHENTICATED', { ...UNKNOWN, reason: 'not_authenticated' }],
  ['invalid_scope PERMISSION_DENIED', { grade: 'permission' }],
  ['rate_limit_exceeded resource_exhausted', { grade: 'pause' }],
  ['INVALID_ARGUMENT', refused(undefined, INVALID)],
  // Coinbase: "Missing parameter". The data of the recipient are required "when sending funds over a certain amount"
  // (transfer-apis/travel-rule). The page does not say whether that is the sum of several sends, so an executed first
  // copy could be the cause.
  ['invalid_request param_required', ifNew(undefined, INVALID)],
  ['not_found', ifNew(undefined, 'not_found')],
];

/**
 * docs.cdp.coinbase.com/coinbase-app/api-architecture/error-messages. A repeat of `idem` returns the previous
 * transaction. The documentation does not say whether Coinbase searches for that transaction before it checks the
 * balance, so a refusal because of the balance proves nothing about an earlier copy of the request (`ifNew`).
 * `two_factor_required` means that no transaction exists: the client then repeats the request with the code
 * (oauth2-integration/2fa). The repeat carries the same `idem`. All definite refusals here, with the message about the
 * email or address, were compared with a copy of the page error-messages (2026, without a date). `INVALID_ARGUMENT` is
 * gRPC's code for arguments that are wrong "regardless of the state of the system".
 */
const calls: ErrorRows = [
  ['two_factor_required', refused('WITHDRAWAL_2FA_REQUIRED_TOTP')],
  ['personal_details_required identity_verification_required', usual.kycRequired],
  ['jumio_verification_required jumio_face_match_verification_required', usual.kycRequired],
  ['unverified_email', refused('WITHDRAWAL_EMAIL_UNVERIFIED')],
  [
    'validation_error',
    byMessage(
      {
        'enter a valid email or bitcoin address': refused('WITHDRAWAL_INVALID_ADDRESS'),
        // The message was seen in https://github.com/coinbase/coinbase-php/issues/157.
        'enough funds': ifNew('WITHDRAWAL_INSUFFICIENT_BALANCE'),
        // The message was seen in https://github.com/coinbase/coinbase-php/issues/132.
        'financial institution': usual.travelRule,
      },
      ifNew(undefined, INVALID),
    ),
  ],
];

const arguments_ = (reason: string) => refused('GENERIC_VALIDATION_ERROR', reason);

/**
 * Coinbase's page orders/create-order: `NewOrderFailureReason` and `PreviewFailureReason`. The names of the second list
 * were compared with the page orders/preview-orders (1 July 2026). The copies of orders/create-order of 27 June and
 * 20 July 2026 lack the first list, whose names are those of client libraries. Coinbase has no texts for either list,
 * so a reason is definite only if its name speaks of the request or of a listed size. DUPLICATE_CLIENT_ORDER_ID is left
 * out, because an earlier copy of the request may have placed that order.
 */
const orders: ErrorRows = [
  ['INVALID_PRODUCT_ID PREVIEW_INVALID_PRODUCT_ID', refused('TRADING_ROUTE_NOT_FOUND')],
  ['INVALID_SIDE PREVIEW_INVALID_SIDE', arguments_('invalid_side')],
  // Coinbase can restrict a market to some types of orders, and has no text that excludes this cause.
  ['UNSUPPORTED_ORDER_CONFIGURATION PREVIEW_INVALID_ORDER_CONFIG', ifNew('TRADING_ORDER_TYPE_NOT_SUPPORTED')],
  ['INVALID_SIZE_PRECISION PREVIEW_INVALID_SIZE_PRECISION', arguments_('invalid_volume')],
  ['PREVIEW_INVALID_BASE_SIZE_TOO_SMALL PREVIEW_INVALID_QUOTE_SIZE_TOO_SMALL', arguments_('below_minimum_volume')],
  ['INVALID_PRICE_PRECISION PREVIEW_INVALID_PRICE_PRECISION', arguments_('invalid_tick_size')],
  [
    'INELIGIBLE_PAIR ORDER_ENTRY_DISABLED UNTRADABLE_PRODUCT TRADING_DISABLED PRODUCT_TRADING_HALTED ' +
      'PREVIEW_UNTRADABLE_PRODUCT PREVIEW_TRADING_DISABLED PREVIEW_PRODUCT_TRADING_HALTED ' +
      'PREVIEW_NOT_ALLOWED_BY_MARKET_STATE',
    ifNew('TRADING_ROUTE_UNAVAILABLE'),
  ],
  [
    'INSUFFICIENT_FUND INSUFFICIENT_FUNDS PREVIEW_INSUFFICIENT_FUND PREVIEW_INSUFFICIENT_LEDGER_BALANCE',
    usual.noBalanceForOrder,
  ],
  ['GEOFENCING_RESTRICTION PREVIEW_GEOFENCING_RESTRICTION', usual.countryNotServed],
  ['PREVIEW_COMPLIANCE_PURCHASE_LIMIT_EXCEEDED', ifNew(undefined, 'purchase_limit')],
];

const table = { general, calls, orders };

export const coinbaseErrors = {
  calls: errorMaps(readErrors, table, { refusesOnlyWith4xx: true }).calls,
  orders: errorMaps(readOrderErrors, table).orders,
};
