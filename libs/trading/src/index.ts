/**
 * trading: what can be traded at an exchange, and spot orders.
 * Owns: the stored catalogues of routes, and the orders that were placed through Causeway, until they are final.
 * Never does: round a volume or a price; choose a price; move money between accounts; store an order that was placed
 * elsewhere.
 * Invariants:
 * - One request places at most one order, also if its response is lost.
 * - An order with an unknown outcome is never reported as refused and never sent again.
 * - A final order never changes.
 */
export { TradingModule } from './trading.module.js';
