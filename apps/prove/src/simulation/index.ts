/**
 * prove/simulation: runs the real use cases of withdrawals with a simulated database, exchange and clock. One seed
 * decides everything, and the ledger of the simulated exchange shows what was really paid.
 *
 * Owns: the simulated exchange, clients and processes, and the oracle that judges a run. Never does: change the rules
 * that it tests. Invariants: equal seeds give equal runs; all time is virtual; every broken rule is printed with its
 * seed, which can be replayed. Importing this file does not load the product: the threads that play seeds load it.
 */
export { runSeeds } from './run/run-seeds.js';
export type { DeclaredTraits } from './scenario/declared.js';
export { allFeatures, type Feature } from './scenario/features.js';
export { storeKinds, type StoreKind } from './store/store-kinds.js';
export { runOrders } from './orders/run-orders.js';
