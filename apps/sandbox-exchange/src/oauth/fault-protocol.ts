import type { Protocol } from '../faults/protocol.js';
import { isOAuthErrorCode, OAuthError, type OAuthErrorCode } from './oauth-error.js';

const refusal = (code: OAuthErrorCode) => () => new OAuthError(code, 'an armed fault causes this error').toReply();

/** Error responses of RFC 6749 5.2. That section defines no error for too many calls. */
export const oauthProtocol: Protocol = {
  refusals: {
    rate_limit: () => ({
      status: 429,
      body: { error: 'temporarily_unavailable', error_description: 'an armed fault causes this error' },
      headers: { 'retry-after': '1' },
    }),
    definite_refusal: (error = '') =>
      new OAuthError(isOAuthErrorCode(error) ? error : 'invalid_grant', 'an armed fault causes this error').toReply(),
    revoked_key: refusal('invalid_grant'),
    service_unavailable: refusal('temporarily_unavailable'),
  },
  emptied: () => ({}),
  errorIn: (body) => {
    const { error } = (body ?? {}) as { error?: unknown };
    return typeof error === 'string' ? error : null;
  },
};
