/**
 * platform/lifecycle: the work that a process repeats until it stops, and its orderly stop.
 *
 * Owns: the flag that the process is stopping, the list of work that must finish first, periodic tasks, and the
 * deletion of expired rows.
 * Never does: decide what has to finish. The code that begins such work registers it with `Shutdown`.
 */
export { ExpiredRows, type Retention } from './expired-rows.js';
export { PeriodicTasks } from './periodic-tasks.js';
export { RowFollower } from './row-follower.js';
export { SharedRuns } from './shared-runs.js';
export { LAST_REQUESTS_MS, Shutdown } from './shutdown.js';
export { StartRefused } from './start-refused.js';
