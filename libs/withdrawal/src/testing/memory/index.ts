/** What the use cases of withdrawals need of PostgreSQL, in memory: for simulations that take thousands of runs. */
export { MemoryTables } from './memory-tables.js';
export { MemoryWalletWrites } from './memory-wallets.js';
export { databasePorts, memoryPorts, useCasesOver, type Surroundings, type WithdrawalPorts } from './use-cases.js';
