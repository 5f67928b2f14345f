/**
 * deposit: where an account at an exchange receives.
 *
 * Owns: the addresses that exchanges gave out for wallets.
 * Never does: choose a network for the caller, or give out an address that it cannot tell the network of.
 * Invariants: an address is answered for exactly one method of the exchange, and for the account that the wallet's
 * present credentials belong to.
 */
export { DepositModule } from './deposit.module.js';
