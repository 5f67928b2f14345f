/**
 * prove/processes: runs the built API and worker as real processes on a real PostgreSQL. The processes are killed at
 * named moments while the sandbox exchange fails. The ledger of the exchange shows what was really paid, and which
 * orders exist.
 *
 * Owns: the installations that it starts, and the faults in them. Never does: change a file of the product; use more of
 * the product than its API, its command line and the names of its methods. Invariants: a seed always gives the same
 * schedule; a schedule leaves only rows in the database behind.
 */
export { runSchedules } from './run-schedules.js';
