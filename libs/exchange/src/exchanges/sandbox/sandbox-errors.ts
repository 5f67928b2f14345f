import type { ErrorMap, ErrorMeaning } from '../../transport/error-map.js';
import { readErrorCodes } from './sandbox-responses.js';

/**
 * An invalid token. After a submission it does not prove that nothing was booked: the API checks the token before it
 * searches for the reference.
 */
const INVALID_TOKEN: ErrorMeaning = { grade: 'credentials' };
const OTHER_ADDRESS: ErrorMeaning = { grade: 'refused', code: 'WITHDRAWAL_INVALID_ADDRESS' };
/** A refused submission. The response contains the missing verification beside the error code. */
const UNVERIFIED: ErrorMeaning = { grade: 'refused', code: 'WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS' };

/**
 * The codes of the partner API. Its first checks are those of the token, the permission and the body. Then it answers a
 * repeat of a booked reference with the booking. A refusal by a later check, such as the rate limit, therefore proves
 * that nothing was booked under the reference.
 */
export const sandboxErrors: ErrorMap = {
  errorsIn: (body) => readErrorCodes(body).map((code) => ({ code })),
  refusesOnlyWith4xx: true,
  meanings: {
    unauthorized: INVALID_TOKEN,
    token_revoked: { ...INVALID_TOKEN, reason: 'revoked' },
    token_expired: { ...INVALID_TOKEN, reason: 'expired' },
    permission_missing: { grade: 'permission', forEveryCopy: true },
    ip_not_allowed: { grade: 'ip_not_allowed', forEveryCopy: true },
    kyc_required: { grade: 'refused', code: 'WITHDRAWAL_KYC_REQUIRED' },
    email_unverified: { grade: 'refused', code: 'WITHDRAWAL_EMAIL_UNVERIFIED' },
    account_on_hold: { grade: 'refused', reason: 'security_hold' },
    verification_required: UNVERIFIED,
    verification_failed: UNVERIFIED,
    // The challenge has expired since we read it, so a new challenge is needed.
    challenge_not_found: { ...UNVERIFIED, reason: 'challenge_not_found' },
    challenge_mismatch: { grade: 'refused', reason: 'challenge_mismatch' },
    challenge_locked: { grade: 'refused', code: 'WITHDRAWAL_2FA_INVALID', reason: 'challenge_locked' },
    method_not_in_challenge: { grade: 'refused', code: 'WITHDRAWAL_2FA_METHOD_NOT_SUPPORTED' },
    funding_address_conflict: { grade: 'refused', code: 'WITHDRAWAL_FUNDING_ADDRESS_CONFLICT' },
    too_many_addresses: { grade: 'refused', code: 'WITHDRAWAL_TOO_MANY_ADDRESSES' },
    // A withdrawal is booked under our reference, so an earlier request of ours was executed. The history shows it.
    reference_conflict: { grade: 'unknown', reason: 'reference_conflict' },
    asset_not_supported: { grade: 'refused', code: 'WITHDRAWAL_ASSET_NOT_SUPPORTED' },
    network_not_supported: { grade: 'refused', code: 'WITHDRAWAL_NETWORK_NOT_SUPPORTED' },
    invalid_address: OTHER_ADDRESS,
    invalid_tag: { ...OTHER_ADDRESS, reason: 'invalid_tag' },
    amount_below_minimum: { grade: 'refused', code: 'WITHDRAWAL_AMOUNT_BELOW_MINIMUM' },
    amount_above_maximum: { grade: 'refused', code: 'WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM' },
    fee_changed: { grade: 'refused', reason: 'fee_changed' },
    insufficient_funds: { grade: 'refused', code: 'WITHDRAWAL_INSUFFICIENT_BALANCE' },
    insufficient_funds_for_fee: { grade: 'refused', code: 'WITHDRAWAL_INSUFFICIENT_BALANCE_FOR_FEE' },
    invalid_request: { grade: 'refused', reason: 'invalid_arguments' },
    // An earlier copy of the request may have arrived before the deadline, so the refusal of this copy proves nothing.
    request_expired: { grade: 'unknown', reason: 'request_expired' },
    rate_limited: { grade: 'pause', forEveryCopy: true },
  },
};
