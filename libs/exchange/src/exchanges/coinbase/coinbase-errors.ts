import type { ErrorMap, ErrorMeaning } from '../../transport/error-map.js';
import { readErrorIds } from './coinbase-responses.js';

const ENDED: ErrorMeaning = { grade: 'credentials' };
const NOT_PERMITTED: ErrorMeaning = { grade: 'permission' };
const MALFORMED: ErrorMeaning = { grade: 'refused', reason: 'invalid_arguments' };
const KYC: ErrorMeaning = { grade: 'refused', code: 'WITHDRAWAL_KYC_REQUIRED' };
/**
 * "Invalid auth (generic)". Coinbase also returns it for a wrong clock, and at times for valid keys
 * (https://github.com/coinbase/coinbase-advanced-py/issues/132), so it proves nothing.
 */
const NOT_AUTHENTICATED: ErrorMeaning = { grade: 'unknown', reason: 'not_authenticated' };

/**
 * Sources: https://docs.cdp.coinbase.com/coinbase-app/api-architecture/error-messages, and the codes of Advanced Trade.
 */
export const coinbaseErrors: ErrorMap = {
  errorsIn: (body) => readErrorIds(body).map((code) => ({ code })),
  refusesWith: (status) => status >= 400 && status < 500,
  meanings: {
    invalid_token: ENDED,
    // The only code that is documented for revoked tokens alone.
    revoked_token: { ...ENDED, reason: 'revoked' },
    // A refresh token may still renew it.
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
    unverified_email: { grade: 'refused', code: 'WITHDRAWAL_EMAIL_UNVERIFIED' },
    param_required: MALFORMED,
    validation_error: MALFORMED,
    invalid_request: MALFORMED,
    INVALID_ARGUMENT: MALFORMED,
    not_found: { grade: 'refused', reason: 'not_found' },
    rate_limit_exceeded: { grade: 'pause' },
  },
};
