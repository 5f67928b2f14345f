/**
 * platform/test-server: the PostgreSQL server of a Jest run. It runs compiled, because Jest loads its setup without the
 * aliases of package.json.
 *
 * Owns: the server, the template database of the run, the removal of both. Never does: run in production.
 */
export { JOINT_ROLE } from '#platform/embedded-postgres';
export { asRole, onServer, ROLE_PASSWORD, RUN_PREFIX, SERVER_URL, templateOf, withDatabase } from './test-server.js';
