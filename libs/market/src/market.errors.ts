import { tickerExchanges } from '#exchange';
import { InvalidRequest, NotFound } from '#platform/errors';

/** No tickers are read from this exchange; `supportedExchanges` lists those that are. */
export class TickersNotSupported extends InvalidRequest {
  constructor() {
    super(`Unsupported exchange: tickers are served for ${tickerExchanges.join(', ')}`, {
      details: { supportedExchanges: [...tickerExchanges] },
    });
  }
}

/** The exchange has given no prices, or none that are young enough. */
export class PricesNotFound extends NotFound {
  constructor(exchange: string) {
    super(`Prices of ${exchange}`);
  }
}
