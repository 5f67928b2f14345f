import { z } from 'zod';
import { Secret } from '#platform/crypto';
import { parseBody } from '../transport/error-map.js';
import type { HttpResponse } from '../transport/transport.js';

/** Longer ones are none that anybody issues; what is stored and sent with every call is bounded by it. */
const TOKEN_LENGTH_MAX = 8_192;
/** Ten years: what lasts longer is a mistake, and no date. */
const LIFETIME_MAX_SECONDS = 315_360_000;

/** Of an Authorization header (RFC 6750 calls it b64token; providers use more of what is visible). */
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

/** What cannot be used counts as not told. */
const refreshResponse = z.object({
  access_token: visible,
  expires_in: z
    .union([seconds, z.string().regex(/^\d+$/).transform(Number).pipe(seconds)])
    .nullable()
    .catch(null),
  refresh_token: visible.nullable().catch(null),
  // It is stored as text.
  scope: z
    .string()
    .regex(/^[\x20-\x7e]*$/)
    .max(TOKEN_LENGTH_MAX)
    .nullable()
    .catch(null),
});

/** RFC 6749, 5.1. */
export interface TokenResponse {
  accessToken: Secret;
  accessExpiresAt: Date | null;
  refreshToken: Secret | null;
  /** null = the response names none: as asked for. */
  scopes: string[] | null;
}

/** @throws when it is no token response; what it says is in no message. */
export function readTokenResponse(response: unknown, now: Date): TokenResponse {
  const parsed = tokenResponse.safeParse(response);
  if (!parsed.success) throw new Error('no token response');
  return toTokenResponse(parsed.data, now);
}

/**
 * The response to a refresh. The token that was shown is used up by then, and what came for it is all there is: nothing of
 * it is thrown away because something beside it is odd.
 * @returns null when there is no access token in it.
 */
export function readRefreshResponse({ status, body }: HttpResponse, now: Date): TokenResponse | null {
  return status >= 200 && status < 300 ? tokensIn(parseBody(body), now) : null;
}

/** What can be read of a response, whatever is odd beside it; null: no access token. */
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
    // The standard wants spaces; commas are seen as well.
    scopes: typeof scope === 'string' ? scope.split(/[\s,]+/).filter((one) => one !== '') : null,
  };
}
