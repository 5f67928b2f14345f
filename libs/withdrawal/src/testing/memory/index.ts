/** The database of withdrawals in memory, for simulations with thousands of runs. */
export { MemoryTables } from './memory-tables.js';
export { MemoryWallets } from './memory-lookups.js';
export { MemoryCredentials, MemoryWalletWrites } from './memory-wallets.js';
export { databasePorts, memoryPorts, useCasesOver, type Surroundings, type WithdrawalPorts } from './use-cases.js';
