/**
 * platform/lifecycle: what a process of ours does until it ends, and how it ends.
 *
 * Owns: the one flag that says so, and repeated work. Never does: decide what has to be finished (whoever began it says
 * so).
 */
export { exitWithParent } from './exit-with-parent.js';
export { Repeats } from './repeats.js';
export { SharedTurns } from './shared-turns.js';
export { Shutdown } from './shutdown.js';
