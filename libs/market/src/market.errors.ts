import { tickerExchanges } from '#exchange';
import { InvalidRequest, NotFound } from '#platform/errors';

/** Causeway reads no tickers from this exchange; `supportedExchanges` lists the exchanges with tickers. */
export class TickersNotSupported extends InvalidRequest {
  constructor() {
    super(`Unsupported exchange: tickers are served for ${tickerExchanges.join(', ')}`, {
      supportedExchanges: [...tickerExchanges],
    });
  }
}

/** No prices are stored for this exchange, or they are older than TICKERS_STALE_SECONDS. */
export class PricesNotFound extends NotFound {
  constructor(exchange: string) {
    super(`Prices of ${exchange}`);
  }
}
