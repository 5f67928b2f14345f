/**
 * platform/crypto: secrets at rest and in memory.
 *
 * Owns: envelope encryption (`Vault`), the key-encryption keys, and the `Secret` type, whose text cannot be printed.
 * Never does: log or return a key. Invariant: every sealed record is bound to its organization, project, wallet and
 * field.
 */
export { CryptoModule } from './crypto.module.js';
export { Keyring } from './keyring.js';
export { ResealRecords, type ResealProgress } from './reseal-records.js';
export {
  rowsOfEachKey,
  SealedTables,
  wrongKeysIn,
  type KeyCount,
  type KeyProblem,
  type SealedSample,
  type SealedTable,
} from './sealed-tables.js';
export { VaultStatus, type KeyStatus } from './vault-status.js';
export { Secret } from './secret.js';
export { KeysUnavailable } from './keys/keys-unavailable.js';
export { LocalKey } from './keys/local-key.js';
export {
  CannotOpen,
  NotCurrent,
  Vault,
  vaultRefusals,
  type SealContext,
  type SealedRecord,
  type Sealer,
} from './vault.js';
