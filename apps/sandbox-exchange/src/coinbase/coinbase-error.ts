import type { Reply } from '../faults/protocol.js';

/**
 * Errors of https://docs.cdp.coinbase.com/coinbase-app/api-architecture/error-messages, and their names in Advanced
 * Trade.
 */
const errors = {
  authentication_error: { status: 401, v3: 'unauthorized', code: 16 },
  invalid_token: { status: 401, v3: 'unauthorized', code: 16 },
  revoked_token: { status: 401, v3: 'unauthorized', code: 16 },
  expired_token: { status: 401, v3: 'unauthorized', code: 16 },
  two_factor_required: { status: 402, v3: 'two_factor_required', code: 7 },
  unverified_email: { status: 400, v3: 'INVALID_ARGUMENT', code: 3 },
  validation_error: { status: 400, v3: 'INVALID_ARGUMENT', code: 3 },
  not_found: { status: 404, v3: 'NOT_FOUND', code: 5 },
  invalid_scope: { status: 403, v3: 'PERMISSION_DENIED', code: 7 },
  invalid_request: { status: 400, v3: 'INVALID_ARGUMENT', code: 3 },
  rate_limit_exceeded: { status: 429, v3: 'resource_exhausted', code: 8 },
  internal_server_error: { status: 500, v3: 'internal_server_error', code: 13 },
} as const;
export type CoinbaseErrorId = keyof typeof errors;
export type CoinbaseVersion = 'v2' | 'v3';

export const isCoinbaseErrorId = (text: string): text is CoinbaseErrorId => Object.hasOwn(errors, text);

export class CoinbaseError extends Error {
  constructor(
    readonly id: CoinbaseErrorId,
    message: string,
  ) {
    super(message);
  }

  /**
   * The `v3` format is the error `grpc.gateway.runtime.Error` that Coinbase documents for the call "List Accounts". The
   * values of its field `error` are not documented.
   */
  toReply(version: CoinbaseVersion): Reply {
    const { status, v3, code } = errors[this.id];
    const { message } = this;
    if (version === 'v2') return { status, body: { errors: [{ id: this.id, message }] } };
    return { status, body: { error: v3, code, message, details: [] } };
  }
}
