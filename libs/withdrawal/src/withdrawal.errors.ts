import { ExchangeError, ProviderError } from '#exchange';
import type { Amount } from '#money';
import { DomainError } from '#platform/errors';

/** The wallet has no quote with this id; a malformed id and a quote of another wallet look the same. */
export class QuoteNotFound extends DomainError {
  constructor() {
    super('QUOTE_NOT_FOUND', 'Quote not found');
  }
}

/** The quote was never executed and its time has passed. */
export class QuoteExpired extends DomainError {
  constructor(expiresAt: Date) {
    super('QUOTE_EXPIRED', 'The quote has expired; request a new one', {
      details: { result: { expiresAt: expiresAt.getTime() } },
    });
  }
}

/** The exchange does not know the asset, or does not let it out. */
export class AssetNotSupported extends DomainError {
  constructor(asset: string) {
    super('WITHDRAWAL_ASSET_NOT_SUPPORTED', `The asset ${asset} cannot be withdrawn from this exchange`);
  }
}

/** The network is unknown, or the exchange does not withdraw the asset on it; `result.networks` are those it does. */
export class NetworkNotSupported extends DomainError {
  constructor(asset: string, network: string, networks: string[]) {
    super('WITHDRAWAL_NETWORK_NOT_SUPPORTED', `${asset} cannot be withdrawn on the network ${network}`, {
      details: { result: { networks } },
    });
  }
}

/** The address does not fit the network, or the account does not allow withdrawals to it (`result.reason`). */
export class InvalidAddress extends DomainError {
  constructor(message: string, reason: string) {
    super('WITHDRAWAL_INVALID_ADDRESS', message, { details: { result: { reason } } });
  }
}

/** What would be debited is below the least that the exchange lets out, or does not even cover the fee. */
export class AmountBelowMinimum extends DomainError {
  constructor(message: string, minimum: Amount | null) {
    super('WITHDRAWAL_AMOUNT_BELOW_MINIMUM', message, {
      details: { result: { minimum: minimum?.toString() ?? null } },
    });
  }
}

/** What would be debited is above the most that the exchange lets out at once. */
export class AmountAboveMaximum extends DomainError {
  constructor(message: string, maximum: Amount) {
    super('WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM', message, { details: { result: { maximum: maximum.toString() } } });
  }
}

/** The free balance is smaller than the amount. */
export class InsufficientBalance extends DomainError {
  constructor(asset: string, free: Amount) {
    super('WITHDRAWAL_INSUFFICIENT_BALANCE', `The free balance of ${asset} is smaller than the amount`, {
      details: { result: { free: free.toString() } },
    });
  }
}

/** The free balance covers the amount, but not the fee on top of it. */
export class InsufficientBalanceForFee extends DomainError {
  constructor(asset: string, free: Amount, needed: Amount) {
    super(
      'WITHDRAWAL_INSUFFICIENT_BALANCE_FOR_FEE',
      `The free balance of ${asset} covers the amount, but not the fee on top of it`,
      { details: { result: { free: free.toString(), needed: needed.toString() } } },
    );
  }
}

/** Too many executions of one wallet, or the exchange limits its withdrawals. */
export class WithdrawalRateLimitExceeded extends DomainError {
  constructor(retryAfterSeconds: number) {
    super('WITHDRAWAL_RATE_LIMIT_EXCEEDED', 'Too many withdrawals of this wallet; try again later', {
      retryAfterSeconds,
    });
  }
}

/** What a client is told to wait when the exchange wants fewer calls. */
export const EXCHANGE_PAUSE_SECONDS = 10;

/** An exchange that wants a pause is a limit, not a fault: the client waits instead of giving up. */
export function asPause(error: unknown): unknown {
  const isPause =
    error instanceof ProviderError && error.cause instanceof ExchangeError && error.cause.kind === 'rate_limited';
  return isPause ? new WithdrawalRateLimitExceeded(EXCHANGE_PAUSE_SECONDS) : error;
}

/** Not a failure: the dry run found nothing missing, and no money was moved. */
export class DryRunComplete extends DomainError {
  constructor(result: Record<string, unknown> = {}) {
    super('WITHDRAWAL_DRY_RUN_COMPLETE', 'The dry run is complete; no money was moved', {
      details: { result: { ...result, dryRun: true, readyToTransact: true } },
    });
  }
}

/** The fee query does not say which asset. */
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
