/**
 * kyc: who owns the account behind a wallet.
 *
 * Owns: the identities that exchanges supplied when their accounts were authorized, sealed.
 * Never does: ask an exchange, judge an identity, or log one.
 * Invariants: an identity is of the credentials that the wallet has now; it is erased with the wallet, and when other
 * credentials take their place.
 */
export { KycModule } from './kyc.module.js';
export { StoreIdentity } from './store-identity.js';
