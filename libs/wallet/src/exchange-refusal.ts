import { ExchangeError, ProviderError } from '#exchange';
import { RefusedByExchange } from './wallet.errors.js';

/** What the caller is told when an exchange did not give what it was asked for; other errors pass as they are. */
export function toDomainError(error: unknown): unknown {
  if (!(error instanceof ExchangeError)) return error;
  const { exchange, kind, code, reason } = error;
  switch (kind) {
    case 'refused':
      return code === undefined
        ? new ProviderError(`${exchange} refused the request`, { reason, cause: error })
        : new RefusedByExchange(code, { reason, cause: error });
    case 'permission_missing':
      return new ProviderError(`The API key at ${exchange} lacks a permission that this needs`, {
        reason: reason ?? kind,
        cause: error,
      });
    case 'ip_not_allowed':
      return new ProviderError(`The API key at ${exchange} does not allow the addresses of this service`, {
        reason: reason ?? kind,
        cause: error,
      });
    case 'rate_limited':
      return new ProviderError(`${exchange} asks for a pause`, { reason: reason ?? kind, cause: error });
    case 'credentials_invalid':
      return new ProviderError(`${exchange} refused the API key, but not a second time`, {
        reason: 'credentials_unconfirmed',
        cause: error,
      });
    case 'unavailable':
      return new ProviderError(`${exchange} could not be reached`, { reason, cause: error });
  }
}

/** The exchange's own definitive "this key is invalid, revoked or expired". */
export function saysInvalid(error: unknown): error is ExchangeError {
  return error instanceof ExchangeError && error.kind === 'credentials_invalid';
}

/**
 * Whether that is for ever. A signature that is refused may be accepted again, because it depends on how the key is set
 * up at the exchange, too (two-factor): it marks a wallet and never deletes it.
 */
export function isForEver(error: ExchangeError): boolean {
  return error.reason !== 'invalid_signature';
}
