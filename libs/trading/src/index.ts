/**
 * trading: what can be traded at an exchange, and spot orders.
 * Owns: the stored catalogues of routes, and the orders that were placed through Causeway, until they are final.
 * Never does: round a volume or a price; choose a price; move money between accounts; store an order that was placed
 * elsewhere.
 * Invariants:
 * - One request places at most one order, also if its response is lost.
 * - An order with an unknown outcome is never reported as refused and never sent again.
 * - A refusal is reported only when the account of the owner does not show the order.
 * - An order that has ended at the exchange never changes. An order that was reported as refused or never placed
 *   changes only when the exchange shows it, with an alarm.
 * - Only an order that has ended, and whose ORDERS_KEEP_DAYS are over, is deleted.
 */
export { DecideOrder, orderOutcomes, type OrderDecision } from './operator/decide-order.js';
export { EndOrder, type EndOrderInput } from './operator/end-order.js';
export { ListOrders, type OrderItem, type OrderReviewState } from './operator/list-orders.js';
export type { OrderAnswer } from './operator/order-at-exchange.js';
export { ShowOrder, type ShownOrder } from './operator/show-order.js';
export { orderStates } from './orders/order-state.js';
export { TradingModule } from './trading.module.js';
