import type { ErrorMap, ErrorMeaning } from '../../transport/error-map.js';
import { readErrorIds } from './coinbase-responses.js';

const ENDED: ErrorMeaning = { kind: 'credentials_invalid' };
const NOT_PERMITTED: ErrorMeaning = { kind: 'permission_missing' };
const MALFORMED: ErrorMeaning = { kind: 'refused', reason: 'invalid_arguments' };
const KYC: ErrorMeaning = { kind: 'refused', code: 'WITHDRAWAL_KYC_REQUIRED' };
/**
 * "Invalid auth (generic)", also what a wrong clock gets; and keys that are good get it at times
 * (https://github.com/coinbase/coinbase-advanced-py/issues/132). Proves nothing.
 */
const NOT_AUTHENTICATED: ErrorMeaning = { kind: 'unavailable', reason: 'not_authenticated' };

/** https://docs.cdp.coinbase.com/coinbase-app/api-architecture/error-messages, and the codes of Advanced Trade. */
export const coinbaseErrors: ErrorMap = {
  codesIn: readErrorIds,
  refusesWith: (status) => status >= 400 && status < 500,
  meanings: {
    invalid_token: ENDED,
    // The only code that the documentation reserves for it.
    revoked_token: { ...ENDED, reason: 'revoked' },
    // A grant may still renew it.
    expired_token: { ...ENDED, reason: 'token_expired' },
    authentication_error: NOT_AUTHENTICATED,
    unauthorized: NOT_AUTHENTICATED,
    UNAUTHENTICATED: NOT_AUTHENTICATED,
    invalid_scope: NOT_PERMITTED,
    PERMISSION_DENIED: NOT_PERMITTED,
    personal_details_required: KYC,
    identity_verification_required: KYC,
    jumio_verification_required: KYC,
    jumio_face_match_verification_required: KYC,
    unverified_email: { kind: 'refused', code: 'WITHDRAWAL_EMAIL_UNVERIFIED' },
    param_required: MALFORMED,
    validation_error: MALFORMED,
    invalid_request: MALFORMED,
    INVALID_ARGUMENT: MALFORMED,
    not_found: { kind: 'refused', reason: 'not_found' },
    rate_limit_exceeded: { kind: 'rate_limited' },
  },
};
