/**
 * platform/database: migrations, the connection pool, transactions.
 *
 * Owns: migrations, the rights of the roles, notifications between processes, and the database's clock, by
 * which all decisions about money are made.
 * Never does: run queries of a feature.
 * Invariants: no role of a process owns a table; inside `Database.transaction` no exchange call and no enqueue happens
 * (`assertOutsideTransaction`); `tx` is always an argument.
 */
export { AmountColumn } from './amount-column.js';
export { joinConditions, type Conditions } from './conditions.js';
export {
  Database,
  InsideTransaction,
  afterCommit,
  assertOutsideTransaction,
  type EntityStatement,
  type NamedStatement,
  type PoolUsage,
} from './database.js';
export { DatabaseClock, DatabaseTooSlow, HostClockDiffers, type DatabaseTime } from './database-clock.js';
export { DATABASE_OUTAGES, databaseProblemOf } from './database-problem.js';
export { CONNECT_RETRY_MS, CONNECT_TRIES, DatabaseModule } from './database.module.js';
export { migrate } from './migrate.js';
export { processRoles, roleName, TABLE_RIGHTS, type ProcessRole } from './rights.js';
export { PROJECT_TABLES } from './migrations/0001-initial/projects-of-rows.js';
export { migrations } from './migrations/index.js';
export { Notifications } from './notifications.js';
export { acrossProjects, actFor, EVERY_PROJECT, runForProject } from './project-scope.js';
export { SealedRows, type SealedColumn } from './sealed-rows.js';
export { LOCK_TIMEOUT, sqlRefusalOf } from './sql-refusal.js';
export { toStorable, toStorableJson } from './storable-json.js';
