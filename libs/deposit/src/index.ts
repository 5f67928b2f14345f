/**
 * deposit: the addresses at which an account at an exchange receives.
 *
 * Owns: the addresses that exchanges have given to wallets, and the locks for creating them.
 * Never does: choose a network for the caller, or return an address whose network is not certain.
 * Invariants: an address belongs to exactly one deposit method of the exchange. It is stored with the version of the
 * credentials that it was requested with, and is never returned under another version.
 */
export { DepositModule } from './deposit.module.js';
