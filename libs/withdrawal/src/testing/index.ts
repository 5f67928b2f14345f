/** withdrawal/testing: the real use cases with an exchange and a clock that a test controls. */
export { ADDRESS, WithdrawalHarness } from './withdrawal-harness.js';
export { backUp } from './database-backup.js';
export { confirmRefusal } from '../execution/confirm-refusal.js';
export { network, ScriptedExchange, type SubmitScript } from './scripted-exchange.js';
export { ScriptedChallenges, type ScriptedStep } from './scripted-challenges.js';
export {
  databasePorts,
  memoryPorts,
  MemoryCredentials,
  MemoryTables,
  MemoryWallets,
  MemoryWalletWrites,
  useCasesOver,
  type Surroundings,
  type WithdrawalPorts,
} from './memory/index.js';
export { databaseOnlyPorts, databaseOnlyUseCases, type DatabaseOnlyPorts } from './database-only.js';
export { recover, SETTLE_MS, workAfterRestore } from './restored-worker.js';
export { CollectedCodes } from '../verification/collected-codes.js';
