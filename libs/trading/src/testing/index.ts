/**
 * trading/testing: the use cases of orders with an exchange and a clock that a test owns.
 *
 * Owns: an exchange whose list of orders is the oracle. Never does: speak HTTP.
 */
export { CatalogueHarness, type CatalogueProcess } from './catalogue-harness.js';
export { OrderHarness, type OrderEvent } from './order-harness.js';
export { BTC_USD } from './pairs.js';
export type { PlaceScript } from './scripted-market.js';
