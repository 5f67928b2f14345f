import type { Reply } from '../faults/protocol.js';

/** Errors of the token and revocation endpoints: RFC 6749, section 5.2, and the two server errors of 4.1.2.1. */
export const oauthErrors = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  invalid_scope: 400,
  server_error: 500,
  temporarily_unavailable: 503,
} as const;
export type OAuthErrorCode = keyof typeof oauthErrors;

export function isOAuthErrorCode(text: string): text is OAuthErrorCode {
  return Object.hasOwn(oauthErrors, text);
}

export class OAuthError extends Error {
  constructor(
    readonly code: OAuthErrorCode,
    description: string,
    private readonly status: number = oauthErrors[code],
  ) {
    super(description);
  }

  toReply(): Reply {
    const reply = { status: this.status, body: { error: this.code, error_description: this.message } };
    return this.code === 'invalid_client'
      ? { ...reply, headers: { 'www-authenticate': 'Basic realm="sandbox exchange"' } }
      : reply;
  }
}
