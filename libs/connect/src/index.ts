/**
 * connect: the owner of an exchange account connects it to a project.
 * Owns: connect sessions, the hosted page, the settings of a project for its users' browsers, and the streams of
 * messages about connects and withdrawals.
 * Never does: keep a credential after the attempt that needs it; show more than the state of a session to a browser
 * that does not own the session.
 * Invariants:
 * - A session belongs to the first browser that submits a form of its page. Until then every browser with the link
 *   sees it.
 * - An OAuth `state` is accepted once, only from the session's browser and only for the session's exchange.
 * - A session connects at most one wallet.
 * - A session that began without an API key never replaces the credentials of a wallet.
 * - People are sent back only to addresses that the project has registered.
 */
export { icon as serviceIcon } from './page/assets/assets.js';
export { ConnectProjectsModule } from './projects/connect-projects.module.js';
export { SealedSessions } from './session/sealed-sessions.js';
export { ConnectProjects, type ConnectProject } from './projects/connect-projects.service.js';
export { SetConnectProject } from './projects/set-connect-project.js';
