/** The database of orders in memory, for simulations with thousands of runs. */
export { MemoryOrders } from './memory-orders.js';
export type { HoldPort } from './memory-order-store.js';
export { memoryOrderPorts, orderUseCasesOver, type OrderPorts, type OrderUseCases } from './order-use-cases.js';
