/** market/testing: processes on one database that keep tickers in memory. */
export { AdjustableClock, eventually, MarketBed, type MarketProcess } from './market-bed.js';
