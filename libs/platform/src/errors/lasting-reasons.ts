import type { ErrorCode } from './error-codes.js';

/**
 * Reasons of refusals by an exchange that last until the owner of the account, or the operator, changes something.
 * Repeating the request does not help, so its status is 422 and not 502.
 */
export const LASTING_REASONS: ReadonlySet<string> = new Set([
  // The address or the country from which this installation calls.
  ...['location_blocked', 'address_blocked'],
  // The settings of the key.
  ...['ip_not_allowed', 'permission_missing', 'key_ip_or_permission', 'feature_disabled'],
  ...['nonce_window', 'time_based_nonce'],
  // The country of the owner, the kind of the account, and what the exchange requires of its owner.
  ...['country_not_served', 'travel_rule', 'kyc_required', 'agreement_not_confirmed', 'app_only'],
  ...['account_locked', 'account_mode', 'account_not_permitted', 'classic_account', 'sub_account', 'unified_account'],
  ...['two_factor_disabled', 'two_factor_not_set'],
]);

const CODES: ReadonlySet<ErrorCode> = new Set(['WITHDRAWAL_PROVIDER_ERROR', 'TRADING_PROVIDER_ERROR']);

/** Whether an error with this code and `result.reason` is a lasting refusal of an exchange. */
export function isLastingRefusal(code: ErrorCode, reason: unknown): boolean {
  return CODES.has(code) && typeof reason === 'string' && LASTING_REASONS.has(reason);
}
