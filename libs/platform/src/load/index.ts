/**
 * platform/load: which requests a process accepts when it gets more than it can serve.
 *
 * Owns: the load classes, the limits of active and waiting requests of each class, and the limits of one API key. Never
 * does: authorize a caller. Invariant: under every load, begun withdrawals and orders are finished and their results
 * stored.
 */
export { admitRequests, MONEY_WAIT_MS, whenAnswered } from './admission.js';
export { CountByKey } from './count-by-key.js';
export { HasLoad } from './has-load.decorator.js';
export { KeyConcurrency } from './key-concurrency.js';
export { RateLimit, type Rate } from './rate-limit.js';
export { Client, currentLoad, runAsMoney, runWithLoad, waitOutside, type LoadClass } from './load-class.js';
