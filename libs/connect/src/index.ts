/**
 * connect: the owner of an exchange account connects it to a project.
 * Owns: connect sessions, the hosted page, the settings of a project for its users' browsers, and the streams of
 * messages about connects and withdrawals.
 * Never does: keep a credential after the attempt that needs it; show more of a session than its state to another
 * browser than its own.
 * Invariants:
 * - A session belongs to the first browser that takes a step in it. Until then every browser with the link sees it.
 * - An OAuth state is used once, by that browser, for that exchange.
 * - A session connects at most one wallet.
 * - A session without an API key replaces no wallet.
 * - People are sent only to addresses that the project has registered.
 */
export { icon as serviceIcon } from './page/assets/assets.js';
export { ConnectProjectsModule } from './projects/connect-projects.module.js';
export { ConnectProjects, type ConnectProject } from './projects/connect-projects.service.js';
export { SetConnectProject } from './projects/set-connect-project.js';
