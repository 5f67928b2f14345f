/**
 * prove/processes: the built API and worker as real processes on a real PostgreSQL, killed at named moments, while the
 * sandbox exchange fails; the exchange's ledger shows what has moved.
 *
 * Owns: the installations that it starts, and the faults in them. Never does: change a product file, or know more of
 * the product than a client, an operator and the names of its methods. Invariants: a seed always gives the same
 * schedule; a schedule leaves nothing behind but its rows.
 */
export { kraken, provenExchanges, type ProvenExchange } from './exchanges.js';
export { runSchedules } from './run-schedules.js';
