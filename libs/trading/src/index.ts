/**
 * trading: what can be traded at an exchange, and spot orders.
 *
 * Owns: the stored catalogues of routes, and the orders that were placed here, until they are final.
 * Never does: round a volume or a price, choose a price, move money between accounts, or keep an order that was placed
 * elsewhere.
 * Invariants: one request places at most one order, whatever happens to its answer; an order whose outcome is not known
 * is never reported as refused and never placed again; a final order never changes.
 */
export { TradingModule } from './trading.module.js';
