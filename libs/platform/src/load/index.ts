/**
 * platform/load: what this process takes on when more is asked of it than it can do.
 *
 * Owns: the classes of requests, how many of each are in flight or wait, the limits of one API key, and the shares of the
 * database's connections. Never does: decide who may call. Invariant: whatever is asked, what money has begun is finished
 * and recorded.
 */
export { admitRequests, whenAnswered } from './admission.js';
export { HasLoad } from './has-load.decorator.js';
export { KeyConcurrency } from './key-concurrency.js';
export { currentLoad, runAsMoney, runWithLoad, waitOutside, type Load, type LoadClass } from './load-class.js';
