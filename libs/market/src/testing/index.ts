/** market/testing: processes that share a database and keep tickers in memory, with prices that a test sets. */
export { publishPrices } from './publish-prices.js';
export { MarketHarness, type MarketProcess } from './market-harness.js';
