/**
 * platform/database: migrations, the connection pool, transactions.
 *
 * Owns: migrations, the rights of the application role, notifications between processes, and the database's clock, by
 * which all decisions about money are made.
 * Never does: run queries of a feature.
 * Invariants: the application role owns no table; inside `Database.transaction` no exchange call and no enqueue happens
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
} from './database.js';
export type { NamedStatement } from './statements/named-select.js';
export { DatabaseClock, DatabaseTooSlow, HostClockDiffers, type DatabaseTime } from './database-clock.js';
export { DATABASE_OUTAGES, databaseProblemOf } from './database-problem.js';
export { DatabaseModule } from './database.module.js';
export { migrate } from './migrate.js';
export { migrations } from './migrations/index.js';
export { Notifications } from './notifications.js';
export { inOrder, valueOf } from './statements/in-order.js';
export { LOCK_TIMEOUT, sqlRefusalOf } from './sql-refusal.js';
export { toStorable, toStorableJson } from './storable-json.js';
