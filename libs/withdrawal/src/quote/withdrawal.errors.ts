import { ExchangeError, ProviderError, retryAfterSecondsOf, type AccountAmount } from '#exchange';
import type { Amount } from '#money';
import { DomainError, generalMessageOf, listOf } from '#platform/errors';

/** The wallet has no quote with this id. A malformed id and a quote of another wallet give the same error. */
export class QuoteNotFound extends DomainError {
  constructor() {
    super('QUOTE_NOT_FOUND', 'Quote not found');
  }
}

/** The quote has expired without an execution. */
export class QuoteExpired extends DomainError {
  constructor(expiresAt: Date) {
    super('QUOTE_EXPIRED', generalMessageOf('QUOTE_EXPIRED'), {
      result: { expiresAt: expiresAt.getTime() },
    });
  }
}

/** The exchange does not know the asset or allows no withdrawals of it, or this service makes none at the exchange. */
export class AssetNotSupported extends DomainError {
  constructor(message: string) {
    super('WITHDRAWAL_ASSET_NOT_SUPPORTED', message);
  }
}

/**
 * The network is unknown, or the exchange does not withdraw the asset on it. `result.networks` lists the possible
 * networks.
 */
export class NetworkNotSupported extends DomainError {
  constructor(asset: string, network: string, networks: string[]) {
    super(
      'WITHDRAWAL_NETWORK_NOT_SUPPORTED',
      `${asset} cannot be withdrawn on the network ${network}; use ${listOf(networks)}`,
      { result: { networks } },
    );
  }
}

/** The address does not fit the network, or the account does not allow withdrawals to it (`result.reason`). */
export class InvalidAddress extends DomainError {
  constructor(message: string, reason: string) {
    super('WITHDRAWAL_INVALID_ADDRESS', message, { result: { reason } });
  }
}

/** The debited amount is below the minimum of the exchange, or does not even cover the fee. */
export class AmountBelowMinimum extends DomainError {
  constructor(message: string, minimum: Amount | null) {
    super('WITHDRAWAL_AMOUNT_BELOW_MINIMUM', message, { result: { minimum: minimum?.toString() ?? null } });
  }
}

/** The debited amount is above the maximum of the exchange. */
export class AmountAboveMaximum extends DomainError {
  constructor(message: string, maximum: Amount) {
    super('WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM', message, { result: { maximum: maximum.toString() } });
  }
}

/** The kinds of amounts that the name of the account shows. */
const SHOWN_BY_NAME: ReadonlySet<AccountAmount['kind']> = new Set(['free', 'sub_account']);

/**
 * The balance that can be withdrawn is smaller than the amount. `result.elsewhere` lists what the owner has besides,
 * and what the owner owes.
 */
export class InsufficientBalance extends DomainError {
  constructor(asset: string, free: Amount, elsewhere: readonly AccountAmount[]) {
    const held = elsewhere.map(({ amount, ...rest }) => ({ ...rest, amount: amount.toString() }));
    const others = held
      .filter(({ kind }) => kind !== 'owed')
      .map(
        ({ account, kind, amount }) => `${amount} ${asset} (${account}${SHOWN_BY_NAME.has(kind) ? '' : `, ${kind}`})`,
      );
    const more = others.length === 0 ? '' : `; the owner also has at the exchange: ${others.join(', ')}`;
    super('WITHDRAWAL_INSUFFICIENT_BALANCE', `The free balance of ${asset} is smaller than the amount${more}`, {
      result: { free: free.toString(), ...(held.length > 0 && { elsewhere: held }) },
    });
  }
}

/** The free balance covers the amount, but not the fee on top of it. */
export class InsufficientBalanceForFee extends DomainError {
  constructor(asset: string, free: Amount, needed: Amount) {
    super(
      'WITHDRAWAL_INSUFFICIENT_BALANCE_FOR_FEE',
      `The free balance of ${asset} covers the amount, but not the fee on top of it`,
      { result: { free: free.toString(), needed: needed.toString() } },
    );
  }
}

/** The wallet has reached a limit of requests per minute, or the rate limit of the exchange is reached. */
export class WithdrawalRateLimitExceeded extends DomainError {
  constructor(
    retryAfterSeconds: number,
    message = 'This wallet has reached its limit of executions per minute; wait as many seconds as Retry-After states',
  ) {
    super('WITHDRAWAL_RATE_LIMIT_EXCEEDED', message, { retryAfterSeconds });
  }
}

/** The wallet has reached its limit of dry runs per minute. Executions have a limit of their own. */
export class DryRunLimitExceeded extends WithdrawalRateLimitExceeded {
  constructor(retryAfterSeconds: number) {
    super(
      retryAfterSeconds,
      'This wallet has reached its limit of dry runs per minute; wait as many seconds as Retry-After states',
    );
  }
}

/** The exchange limits the rate of its calls, or has demanded a pause that is not over. */
export class ExchangePause extends WithdrawalRateLimitExceeded {
  constructor(retryAfterMs?: number) {
    super(
      retryAfterSecondsOf(retryAfterMs),
      'The rate limit of the exchange is reached; wait as many seconds as Retry-After states, then repeat the request',
    );
  }
}

/**
 * Converts an error because of a pause of the exchange to `ExchangePause` (429), so that the client waits. Returns
 * every other error unchanged.
 */
export function asPause(error: unknown): unknown {
  if (!(error instanceof ProviderError && error.cause instanceof ExchangeError)) return error;
  const { isPause, retryAfterMs } = error.cause;
  return isPause ? new ExchangePause(retryAfterMs) : error;
}

/** The dry run found nothing missing, and no money was moved. This is the success of a dry run. */
export class DryRunComplete extends DomainError {
  /** @param unchecked sentence about what the exchange checks only in a submission; null = nothing */
  constructor(result: Record<string, unknown>, unchecked: string | null) {
    const complete = 'The dry run is complete; no money was moved';
    super('WITHDRAWAL_DRY_RUN_COMPLETE', unchecked === null ? complete : `${complete}. ${unchecked}`, {
      result: { ...result, dryRun: true, readyToTransact: true },
    });
  }
}

/** The query of the fee information has no asset. */
export class InfoAssetRequired extends DomainError {
  constructor() {
    super('INFO_ASSET_REQUIRED', 'The query parameter asset is required');
  }
}

/** The exchange publishes no withdrawal fees. */
export class InfoFeeExchangeNotSupported extends DomainError {
  constructor(exchange: string) {
    super('INFO_FEE_EXCHANGE_NOT_SUPPORTED', `${exchange} publishes no withdrawal fees`);
  }
}
