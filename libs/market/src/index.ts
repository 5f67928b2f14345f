/**
 * market: what assets are worth, in US dollars.
 *
 * Owns: the tickers of the public exchanges as of their last good answer, and the prices that are kept for history.
 * Never does: call an exchange in a request, rename another currency to US dollars, or invent a price.
 * Invariants: an unknown price is null, never 0; one refresh of one exchange at a time; what is older than
 * TICKERS_STALE_SECONDS is no price.
 */
export { dollarValue } from './dollar-value.js';
export { MarketModule } from './market.module.js';
export { Prices } from './prices.service.js';
