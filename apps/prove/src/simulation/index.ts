/**
 * prove/simulation: the real use cases of withdrawals, driven by one number: database, exchange, clock and the order of
 * everything are simulated; the ledger of the simulated exchange is the judge.
 *
 * Owns: the simulated exchange, clients and processes, and the question whether all was well. Never does: change the
 * rules that it looks at. Invariants: equal seeds are equal runs; virtual time only; what is wrong is printed with its
 * seed and can be played again.
 */
export { Player } from './run/player.js';
export { runSeeds } from './run/run-seeds.js';
export { allFeatures, type Feature } from './scenario/features.js';
export { storeKinds, type StoreKind } from './store/stores.js';
