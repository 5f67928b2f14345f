/**
 * platform/test-server: the PostgreSQL server of a Jest run; compiled, because Jest loads its set-up without our aliases.
 *
 * Owns: the server, the template database of the run, the removal of both. Never does: run in production.
 */
export { APP_ROLE_URL, onServer, RUN_PREFIX, SERVER_URL, templateOf, withDatabase } from './test-server.js';
