import { AuthorizationResponseError, ResponseBodyError } from 'openid-client';
import { ExchangeError } from '../exchange-error.js';

/** RFC 6749 allows more; nothing else than a code of this form is shown or acted on. */
const ERROR_CODE = /^[a-z_]{1,64}$/;

/** The definite error code of an authorization server's answer, or of what it sent the browser back with. */
export function oauthCodeOf(error: unknown): string | null {
  if (!(error instanceof ResponseBodyError) && !(error instanceof AuthorizationResponseError)) return null;
  return ERROR_CODE.test(error.error) ? error.error : null;
}

/**
 * Why a call has failed, without a word of the answer: the library's errors carry answers and parameters, with the tokens
 * in them.
 */
export function reasonOf(error: unknown): string {
  const code = oauthCodeOf(error);
  if (code !== null) return code;
  const ours = exchangeErrorIn(error);
  return ours === null ? 'an answer that cannot be read' : ours.message;
}

/** What our own transport said, below what the library made of it. */
export function exchangeErrorIn(error: unknown): ExchangeError | null {
  for (let one = error; one instanceof Error; one = one.cause) if (one instanceof ExchangeError) return one;
  return null;
}
