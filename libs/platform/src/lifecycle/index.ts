/**
 * platform/lifecycle: how a process of ours ends.
 *
 * Owns: the one flag that says so. Never does: decide what has to be finished (whoever began it says so).
 */
export { exitWithParent } from './exit-with-parent.js';
export { Shutdown } from './shutdown.js';
