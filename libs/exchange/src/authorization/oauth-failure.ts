import { AuthorizationResponseError, ResponseBodyError } from 'openid-client';
import { z } from 'zod';
import { parseBody } from '../transport/error-map.js';
import { ExchangeError } from '../port/exchange-error.js';
import type { HttpResponse } from '../transport/transport.js';

/** The format of the error codes that we show and interpret. RFC 6749 allows other codes, which we ignore. */
const ERROR_CODE = /^[a-z_]{1,64}$/;
const refusal = z.object({ error: z.string().regex(ERROR_CODE) });
export const UNREADABLE = 'an unreadable response';

/** The error code in an authorization server's response, or in the parameters of its redirect. */
export function oauthCodeOf(error: unknown): string | null {
  if (!(error instanceof ResponseBodyError) && !(error instanceof AuthorizationResponseError)) return null;
  return ERROR_CODE.test(error.error) ? error.error : null;
}

/** The error code of a failed refresh, and whether it ends the grant (RFC 6749, 5.2). */
export function refreshRefusalIn({ status, body }: HttpResponse): { code: string | null; isEnd: boolean } {
  const parsed = refusal.safeParse(parseBody(body));
  const code = parsed.success ? parsed.data.error : null;
  // RFC 6749 requires the status 400. Some exchanges respond with 401 to an expired refresh token.
  return { code, isEnd: code === 'invalid_grant' && (status === 400 || status === 401) };
}

/**
 * The reason of a failed call, without content of the response: the library's errors carry responses and parameters,
 * which contain tokens.
 */
export function reasonOf(error: unknown): string {
  const code = oauthCodeOf(error);
  if (code !== null) return code;
  const ours = exchangeErrorIn(error);
  return ours === null ? UNREADABLE : ours.message;
}

/** Finds the error of our own transport among the causes of the library's error. */
export function exchangeErrorIn(error: unknown): ExchangeError | null {
  for (let one = error; one instanceof Error; one = one.cause) if (one instanceof ExchangeError) return one;
  return null;
}
