/**
 * platform/testing: a separate database for each test file, a Redis on request, clocks that a test moves, and relays
 * that interrupt a connection to a server.
 *
 * Owns: the test servers and their databases. Never does: run in production code. Invariant: concurrent runs do not see
 * each other.
 */
export { browserSettings } from './browser-settings.js';
export { capturedLog } from './captured-log.js';
export { freePort } from './free-port.js';
export { kmsServer, TRANSIT_TOKEN, transitServer, type KeyServer } from './key-server.js';
export { projectRoot } from './project-root.js';
export { byExtent } from './proof-extent.js';
export { RedisServer } from './redis-server.js';
export { TcpRelay } from './tcp-relay.js';
export { ManualClock, RunningClock, TestClock, TestDatabaseClock } from './test-clocks.js';
export { createTestDatabase, urlAs, withoutRules, type TestDatabase } from './test-database.js';
export { dueStatements, guardsOfChanges, statementsOverProjects, tenantTables } from './tenant-statements.js';
export { eventually, until } from './until.js';
export { createTestModule, testConfig, TEST_API_KEY_PEPPER, type TestModule } from './test-module.js';
export { setEnvironment } from './environment.js';
export { databaseWithoutServer } from './database-without-server.js';
