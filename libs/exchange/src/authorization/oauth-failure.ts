import { AuthorizationResponseError, ResponseBodyError } from 'openid-client';
import { z } from 'zod';
import { parseBody } from '../transport/error-map.js';
import { ExchangeError } from '../port/exchange-error.js';
import type { HttpResponse } from '../transport/transport.js';

/** RFC 6749 allows more; nothing else than a code of this form is shown or acted on. */
const ERROR_CODE = /^[a-z_]{1,64}$/;
const refusal = z.object({ error: z.string().regex(ERROR_CODE) });
export const UNREADABLE = 'a response that cannot be read';

/** The definite error code of an authorization server's response, or of what it sent the browser back with. */
export function oauthCodeOf(error: unknown): string | null {
  if (!(error instanceof ResponseBodyError) && !(error instanceof AuthorizationResponseError)) return null;
  return ERROR_CODE.test(error.error) ? error.error : null;
}

/** What a refresh was answered that brought no token: the code of it, and whether that ends the grant (RFC 6749, 5.2). */
export function refreshRefusalIn({ status, body }: HttpResponse): { code: string | null; isEnd: boolean } {
  const parsed = refusal.safeParse(parseBody(body));
  const code = parsed.success ? parsed.data.error : null;
  // 401: coinbase-app/oauth2-integration/access-and-refresh-tokens, of a refresh token that has expired.
  return { code, isEnd: code === 'invalid_grant' && (status === 400 || status === 401) };
}

/**
 * Why a call has failed, without a word of the response: the library's errors carry answers and parameters, with the tokens
 * in them.
 */
export function reasonOf(error: unknown): string {
  const code = oauthCodeOf(error);
  if (code !== null) return code;
  const ours = exchangeErrorIn(error);
  return ours === null ? UNREADABLE : ours.message;
}

/** What our own transport said, below what the library made of it. */
export function exchangeErrorIn(error: unknown): ExchangeError | null {
  for (let one = error; one instanceof Error; one = one.cause) if (one instanceof ExchangeError) return one;
  return null;
}
