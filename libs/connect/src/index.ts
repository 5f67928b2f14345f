/**
 * connect: how the owner of an account connects it.
 *
 * Owns: connect sessions and what becomes of them, the hosted page, what a project allows its users' browsers, and the
 * streams on which connects and withdrawals are told.
 * Never does: keep a credential beyond the attempt that it is for, or say more of a session than its state to anybody but
 * the browser that opened it.
 * Invariants: a session belongs to the first browser that opens it; an OAuth state is used once, by that browser, for that
 * exchange; a session connects at most one wallet; without an API key none is replaced; nobody is sent to an address that
 * the project has not registered.
 */
export { ConnectProjectsModule } from './projects/connect-projects.module.js';
export { ConnectProjects, type ConnectProject } from './projects/connect-projects.service.js';
export { SetConnectProject } from './projects/set-connect-project.js';
