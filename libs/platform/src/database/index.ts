/**
 * platform/database: the schema's history, the connection pool, transactions.
 *
 * Owns: migrations, the grants of the application role, listening to what other processes notify of, the database's clock,
 * which decides wherever time decides about money.
 * Never does: queries of a feature.
 * Invariants: the application role owns no table; inside `Database.transaction` no exchange call and no enqueue happens
 * (`assertOutsideTransaction`); `tx` is always an argument.
 */
export { AmountColumn } from './amount-column.js';
export { Database, InsideTransaction, afterCommit, assertOutsideTransaction } from './database.js';
export { DatabaseClock, DatabaseTooSlow, HostClockDiffers, type DatabaseTime } from './database-clock.js';
export { DatabaseModule } from './database.module.js';
export { migrate } from './migrate.js';
export { migrations } from './migrations/index.js';
export { Notifications } from './notifications.js';
export { toStorable, toStorableJson } from './storable-answer.js';
