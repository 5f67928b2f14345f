/**
 * platform/testing: a database of its own for each test file.
 *
 * Owns: the test server and its databases. Never does: run in production code. Invariant: concurrent runs do not see
 * each other.
 */
export { createTestDatabase, type TestDatabase } from './test-database.js';
