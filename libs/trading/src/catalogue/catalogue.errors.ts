import { DomainError, ValidationFailed } from '#platform/errors';

/** No catalogue of the exchange is stored, and its pair list cannot be read now. */
export class CatalogueUnavailable extends DomainError {
  constructor(exchange: string, retryAfterSeconds: number) {
    super('TRADING_DATA_UNAVAILABLE', `The catalogue of ${exchange} is not available now; try again later`, {
      retryAfterSeconds,
    });
  }
}

/**
 * Causeway does not read the pair list of `exchange`; `supportedExchanges` lists the exchanges whose pair lists it
 * reads.
 */
export class CatalogueNotSupported extends ValidationFailed {
  constructor(supportedExchanges: string[]) {
    const message = `exchange must be one of ${supportedExchanges.join(', ') || '(none)'}`;
    super([{ field: 'exchange', message }], { supportedExchanges });
  }
}

/** The request names neither a wallet nor an exchange. */
export class ExchangeNotChosen extends ValidationFailed {
  constructor(walletHeader: string) {
    super([
      { field: 'exchange', message: `send exchange, or the header ${walletHeader} with a wallet at the exchange` },
    ]);
  }
}
