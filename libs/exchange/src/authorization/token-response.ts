import { z } from 'zod';
import { Secret } from '#platform/crypto';
import { parseBody } from '../transport/error-map.js';
import type { HttpResponse } from '../transport/transport.js';

/**
 * Maximum number of characters of a token. No provider issues longer ones, and tokens are stored and sent with every
 * call.
 */
const TOKEN_LENGTH_MAX = 8_192;
/** Ten years. A longer lifetime is an error of the server. */
const LIFETIME_MAX_SECONDS = 315_360_000;

/**
 * The characters that a token may have in the Authorization header. RFC 6750 allows fewer (b64token), but providers use
 * all visible characters.
 */
const visible = z.string().regex(/^[\x21-\x7e]+$/);
const token = visible.max(TOKEN_LENGTH_MAX);

const tokenResponse = z.object({
  access_token: token,
  token_type: z.string().refine((type) => type.toLowerCase() === 'bearer'),
  expires_in: z.coerce.number().nonnegative().max(LIFETIME_MAX_SECONDS).nullish(),
  refresh_token: token.nullish(),
  scope: z.string().max(TOKEN_LENGTH_MAX).nullish(),
});

const seconds = z.number().nonnegative().max(LIFETIME_MAX_SECONDS);

/** The fields of a response to a refresh. An unusable optional field is treated as absent. */
const refreshResponse = z.object({
  access_token: visible,
  expires_in: z
    .union([seconds, z.string().regex(/^\d+$/).transform(Number).pipe(seconds)])
    .nullable()
    .catch(null),
  refresh_token: visible.nullable().catch(null),
  // Only printable characters: PostgreSQL, which stores the scopes as text, refuses the NUL character.
  scope: z
    .string()
    .regex(/^[\x20-\x7e]*$/)
    .max(TOKEN_LENGTH_MAX)
    .nullable()
    .catch(null),
});

/** The usable content of a token response (RFC 6749, 5.1). */
export interface TokenResponse {
  accessToken: Secret;
  accessExpiresAt: Date | null;
  refreshToken: Secret | null;
  /** null = the response names none, which means that all requested scopes are granted. */
  scopes: string[] | null;
}

/**
 * @throws when the response is not a valid token response. The message of the error contains no part of the response.
 */
export function readTokenResponse(response: unknown, now: Date): TokenResponse {
  const parsed = tokenResponse.safeParse(response);
  if (!parsed.success) throw new Error('the response contains no tokens');
  return toTokenResponse(parsed.data, now);
}

/**
 * Reads the response to a refresh. The refresh has used up the old token, so the new tokens are kept even if other
 * fields are invalid.
 * @returns null when the response contains no access token.
 */
export function readRefreshResponse({ status, body }: HttpResponse, now: Date): TokenResponse | null {
  return status >= 200 && status < 300 ? tokensIn(parseBody(body), now) : null;
}

/** Reads the valid fields of a token response; null = it contains no access token. */
export function tokensIn(response: unknown, now: Date): TokenResponse | null {
  const parsed = refreshResponse.safeParse(response);
  return parsed.success ? toTokenResponse(parsed.data, now) : null;
}

function toTokenResponse(
  { access_token, expires_in, refresh_token, scope }: z.infer<typeof refreshResponse | typeof tokenResponse>,
  now: Date,
): TokenResponse {
  return {
    accessToken: new Secret(access_token),
    accessExpiresAt: typeof expires_in === 'number' ? new Date(now.getTime() + expires_in * 1_000) : null,
    refreshToken: typeof refresh_token === 'string' ? new Secret(refresh_token) : null,
    // The standard requires spaces; some servers send commas.
    scopes: typeof scope === 'string' ? scope.split(/[\s,]+/).filter((one) => one !== '') : null,
  };
}
