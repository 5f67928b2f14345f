import { ExchangeError, ProviderError, TradingProviderError, UnusableResponse } from '#exchange';
import { RateLimitExceeded, type ErrorCode } from '#platform/errors';
import { RefusedByExchange } from '../wallets/wallet.errors.js';

/** What an exchange may say of the account to any call: spread it into `@ApiErrors` of every route that asks one. */
export const accountErrors: readonly ErrorCode[] = [
  'WITHDRAWAL_KYC_REQUIRED',
  'WITHDRAWAL_EMAIL_UNVERIFIED',
  'WITHDRAWAL_2FA_REQUIRED_TOTP',
  'WITHDRAWAL_PROVIDER_ERROR',
];

/** Under which part of the interface the exchange is asked: each has its own words for the same failure. */
export type AskedFor = 'wallet' | 'trade';

/** What a client is told to wait when an exchange wants fewer calls. */
const EXCHANGE_PAUSE_SECONDS = 10;

/** What the caller is told when an exchange did not give what it was asked for; other errors pass as they are. */
export function toDomainError(error: unknown, askedFor: AskedFor = 'wallet'): unknown {
  return error instanceof ExchangeError ? toldOf(error, askedFor) : error;
}

function toldOf(error: ExchangeError, askedFor: AskedFor): Error {
  const { exchange, kind, code, reason } = error;
  const Provider = askedFor === 'trade' ? TradingProviderError : ProviderError;
  switch (kind) {
    case 'refused':
      if (code !== undefined && isWordOf(askedFor, code)) return new RefusedByExchange(code, { reason, cause: error });
      return new Provider(`${exchange} refused the request`, { reason, cause: error });
    case 'permission_missing':
      return new Provider(`The API key at ${exchange} lacks a permission that this needs`, {
        reason: reason ?? kind,
        cause: error,
      });
    case 'ip_not_allowed':
      return new Provider(`The API key at ${exchange} does not allow the addresses of this service`, {
        reason: reason ?? kind,
        cause: error,
      });
    case 'rate_limited':
      if (askedFor === 'trade') return new RateLimitExceeded(EXCHANGE_PAUSE_SECONDS, error);
      return new Provider(`${exchange} asks for a pause`, { reason: reason ?? kind, cause: error });
    case 'credentials_invalid':
      return new Provider(`${exchange} refused the API key, but not a second time`, {
        reason: 'credentials_unconfirmed',
        cause: error,
      });
    case 'unavailable':
      if (reason === 'credentials_renewed') {
        return new Provider(`The access to ${exchange} had ended early and was renewed: try again`, {
          reason,
          cause: error,
        });
      }
      return new Provider(`${exchange} ${whyNoAnswer(error)}`, { reason, cause: error });
  }
}

/** What an exchange itself said is not repeated: it may contain anything. */
function whyNoAnswer(error: ExchangeError): string {
  if (error instanceof UnusableResponse) return `answered, but its answer could not be used safely: ${error.message}`;
  return error.rawCode === undefined ? 'could not be reached' : 'answered that it could not do this now';
}

/** What an exchange says of the account (unverified, a code is missing) has codes of withdrawals alone. */
function isWordOf(askedFor: AskedFor, code: ErrorCode): boolean {
  return askedFor !== 'trade' || !code.startsWith('WITHDRAWAL_');
}

/** The exchange's own definitive "this key is invalid, revoked or expired". */
export function saysInvalid(error: unknown): error is ExchangeError {
  return error instanceof ExchangeError && error.kind === 'credentials_invalid';
}
