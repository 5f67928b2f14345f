/**
 * platform/crypto: secrets at rest and in memory.
 *
 * Owns: envelope encryption (`Vault`), the key-encryption keys, and the `Secret` type, whose text cannot be printed.
 * Never does: log or return a key. Invariant: every sealed record is bound to its organization, project, wallet and
 * field.
 */
export { CryptoModule } from './crypto.module.js';
export { Keyring } from './keyring.js';
export { rowsOfEachKey, SealedSamples, wrongKeysIn, type KeyProblem, type SealedSample } from './sealed-samples.js';
export { Secret } from './secret.js';
export { CannotOpen, Vault, type SealContext, type SealedRecord } from './vault.js';
