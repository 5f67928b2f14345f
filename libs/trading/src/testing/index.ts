/**
 * trading/testing: the use cases of orders with a scripted exchange and a manual clock; processes that read catalogues
 * from a stub over HTTP.
 * Owns: the scripted exchange, whose list of orders is the source of truth.
 */
export { CatalogueHarness, type CatalogueProcess } from './catalogue-harness.js';
export { OrderHarness, type OrderEvent } from './order-harness.js';
export { BTC_USD } from './pairs.js';
export type { PlaceScript } from './scripted-market.js';
export type { Order } from '../orders/order.entity.js';
export {
  MemoryOrders,
  memoryOrderPorts,
  orderUseCasesOver,
  type HoldPort,
  type OrderPorts,
  type OrderUseCases,
} from './memory/index.js';
