import { DomainError, RemoteError, type ErrorCode } from '#platform/errors';

/**
 * What a failed call to an exchange proves.
 * - `credentials_invalid`: the exchange's own definitive "this key is invalid, revoked or expired". With the reason `revoked`
 *   the code is one that the exchange's documentation reserves for keys and grants that were revoked; `invalid_signature`
 *   may be due to how the key is set up.
 * - `permission_missing`, `ip_not_allowed`: the key is valid but may not do this, or not from here.
 * - `rate_limited`: the exchange, or our own budget for it, wants a pause.
 * - `refused`: a definite response about the request itself; `code` says which.
 * - `unavailable`: everything else (time-outs, 5xx, clock and nonce errors, unreadable answers); proves nothing.
 */
export type ExchangeErrorKind =
  'credentials_invalid' | 'permission_missing' | 'ip_not_allowed' | 'rate_limited' | 'refused' | 'unavailable';

export interface ExchangeErrorOptions {
  /** For `refused`: the code of the interface that says the same. */
  code?: ErrorCode;
  /** The exchange's own code, e.g. `EFunding:Insufficient funds`. */
  rawCode?: string;
  /** Machine-readable detail for `result.reason`, e.g. `address_not_allowlisted`. */
  reason?: string;
  cause?: unknown;
}

/** A call to an exchange that did not give what it was asked for. */
export class ExchangeError extends RemoteError {
  readonly code?: ErrorCode;
  readonly rawCode?: string;
  readonly reason?: string;

  constructor(
    readonly kind: ExchangeErrorKind,
    readonly exchange: string,
    message: string,
    options: ExchangeErrorOptions = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'ExchangeError';
    this.code = options.code;
    this.rawCode = options.rawCode;
    this.reason = options.reason;
  }

  get logCause(): string {
    return [this.exchange, this.kind, this.reason ?? ''].join(' ').trim();
  }
}

/** The exchange could not be reached, gave an unusable response, or refused without a code of its own (outside `/trade`). */
export class ProviderError extends DomainError {
  constructor(message: string, options: { reason?: string; cause?: unknown } = {}) {
    super('WITHDRAWAL_PROVIDER_ERROR', message, {
      details: options.reason === undefined ? undefined : { result: { reason: options.reason } },
      cause: options.cause,
    });
  }
}

/** The same under `/trade`. */
export class TradingProviderError extends DomainError {
  constructor(message: string, options: { reason?: string; cause?: unknown } = {}) {
    super('TRADING_PROVIDER_ERROR', message, {
      details: options.reason === undefined ? undefined : { result: { reason: options.reason } },
      cause: options.cause,
    });
  }
}
