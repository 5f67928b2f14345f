/** market/testing: processes on one database that keep tickers in memory, and prices as a test says. */
export { publishPrices } from './publish-prices.js';
export { eventually, MarketBed, type MarketProcess } from './market-bed.js';
