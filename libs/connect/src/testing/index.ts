/** connect/testing: the store of connect sessions, for tests about the data of all libs. */
export { SessionStore } from '../session/session-store.js';
