/**
 * market: prices of assets in US dollars.
 *
 * Owns: the last valid tickers of the public exchanges, and the price history.
 * Never does: call an exchange during a request, use a price in another currency or a stablecoin as a price in US
 * dollars, or invent a price.
 * Invariants: an unknown price is null, never 0. A price older than TICKERS_STALE_SECONDS counts as unknown. All
 * workers share one schedule of refreshes for each exchange, and older prices never replace newer ones.
 */
export { dollarValue } from './dollar-value.js';
export { MarketModule } from './market.module.js';
export { Prices } from './prices.service.js';
