import { DomainError, RemoteError, type ErrorCode } from '#platform/errors';

/**
 * The kind of a failed call to an exchange, by what the failure proves.
 * - `credentials_invalid`: the exchange reported definitely that the key is invalid, revoked or expired. The reason is
 *   `revoked` only for codes that the exchange uses for nothing but revoked keys and grants. The reason
 *   `invalid_signature` can also come from a setting of the key at the exchange, such as a second factor.
 * - `permission_missing`: the key is valid, but lacks the permission. `ip_not_allowed`: the key is used from an address
 *   that its owner has not allowed.
 * - `access_blocked`: the exchange refuses every call of this installation, whatever the key: because of the country it
 *   calls from (`location_blocked`), or because of its address (`address_blocked`).
 * - `rate_limited`: the exchange's limit of calls was reached, or our own limit of calls to this exchange. The reason
 *   `banned` means that the exchange refuses all calls until a time.
 * - `refused`: a definite refusal of the request itself; `code` names the cause.
 * - `unavailable`: everything else (time-outs, 5xx, maintenance, clock and nonce errors, errors that no declaration
 *   lists, unreadable responses). Such a failure does not show whether the exchange executed the request.
 */
export type ExchangeErrorKind =
  | 'credentials_invalid'
  | 'permission_missing'
  | 'ip_not_allowed'
  | 'access_blocked'
  | 'rate_limited'
  | 'refused'
  | 'unavailable';

export interface ExchangeErrorOptions {
  /** For `refused`: the error code of our API with the same meaning. */
  code?: ErrorCode;
  /** The exchange's own code, e.g. `EFunding:Insufficient funds`. */
  rawCode?: string;
  /** Machine-readable detail for `result.reason`, e.g. `address_not_allowlisted`. */
  reason?: string;
  /** The milliseconds after which the exchange, or our own limit, allows the call again; absent = not known. */
  retryAfterMs?: number;
  cause?: unknown;
}

/** A call to an exchange that failed. */
export class ExchangeError extends RemoteError {
  readonly code?: ErrorCode;
  readonly rawCode?: string;
  readonly reason?: string;
  readonly retryAfterMs?: number;

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
    this.retryAfterMs = options.retryAfterMs;
  }

  get logCause(): string {
    return [this.exchange, this.kind, this.reason ?? ''].join(' ').trim();
  }

  /**
   * Whether the exchange limits the rate of its calls, or has demanded a pause that is not over. A call that waited too
   * long for earlier calls is no pause, because nothing shows when those end.
   */
  get isPause(): boolean {
    return this.kind === 'rate_limited' && (this.reason !== 'own_limit' || this.retryAfterMs !== undefined);
  }
}

/**
 * The exchange could not be reached, sent an unusable response, or refused without a specific code. All routes except
 * those under `/trade` report this error.
 */
export class ProviderError extends DomainError {
  /** @param options `retryAfterSeconds`: the rest of a pause that the exchange has demanded; absent = not known */
  constructor(
    message: string,
    { reason, ...options }: { reason?: string; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super('WITHDRAWAL_PROVIDER_ERROR', message, { result: reason === undefined ? undefined : { reason }, ...options });
  }
}

/** The error that corresponds to `ProviderError` for the routes under `/trade`. */
export class TradingProviderError extends DomainError {
  constructor(message: string, { reason, cause }: { reason?: string; cause?: unknown } = {}) {
    super('TRADING_PROVIDER_ERROR', message, { result: reason === undefined ? undefined : { reason }, cause });
  }
}
