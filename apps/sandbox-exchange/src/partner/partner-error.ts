import type { Reply } from '../faults/protocol.js';

/** Every error of the partner API with its status. */
export const partnerErrors = {
  unauthorized: 401,
  token_revoked: 401,
  token_expired: 401,
  permission_missing: 403,
  ip_not_allowed: 403,
  kyc_required: 403,
  email_unverified: 403,
  account_on_hold: 423,
  verification_required: 403,
  verification_failed: 403,
  challenge_locked: 423,
  not_found: 404,
  challenge_not_found: 404,
  challenge_mismatch: 409,
  method_not_in_challenge: 422,
  funding_address_conflict: 409,
  too_many_addresses: 409,
  reference_conflict: 409,
  asset_not_supported: 422,
  network_not_supported: 422,
  invalid_address: 422,
  invalid_tag: 422,
  amount_below_minimum: 422,
  amount_above_maximum: 422,
  fee_changed: 422,
  insufficient_funds: 422,
  insufficient_funds_for_fee: 422,
  invalid_request: 422,
  request_expired: 410,
  rate_limited: 429,
  unavailable: 503,
  internal_error: 500,
} as const;
export type PartnerErrorCode = keyof typeof partnerErrors;

export function isPartnerErrorCode(text: string): text is PartnerErrorCode {
  return Object.hasOwn(partnerErrors, text);
}

/** An error response: `{"error": {"code", "message", …extra}}`. */
export class PartnerError extends Error {
  constructor(
    readonly code: PartnerErrorCode,
    message: string,
    readonly extra: Readonly<Record<string, unknown>> = {},
    /** Seconds in the `Retry-After` header of `rate_limited`. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }

  toReply(): Reply {
    const { code, message, extra, retryAfterSeconds } = this;
    const reply = { status: partnerErrors[code], body: { error: { code, message, ...extra } } };
    return retryAfterSeconds === undefined
      ? reply
      : { ...reply, headers: { 'retry-after': String(retryAfterSeconds) } };
  }
}
