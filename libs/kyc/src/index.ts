/**
 * kyc: the identity of the person who owns the account behind a wallet.
 *
 * Owns: the identities that exchanges returned when an owner authorized the account. They are stored encrypted.
 * Never does: call an exchange, judge an identity, or log an identity.
 * Invariants: a stored identity belongs to the wallet's present credentials. It is erased when the wallet is deleted
 * and when the credentials are replaced.
 */
export { KycModule } from './kyc.module.js';
export { Identities } from './identities.js';
export { WalletIdentityNotFound } from './kyc.errors.js';
