/**
 * prove/wire: the wire proof. It runs the real Kraken connector of several processes over a simulated network.
 *
 * Owns: the virtual time, the simulated network, the model of the exchange with its ledger, and the rules that judge a
 * run.
 * Never does: open a real connection to an exchange. Invariants: all code from `Exchanges` down to the HTTP library is
 * the product's; a seed decides everything that happens.
 */
export { runWire } from './run-wire.js';
