/**
 * platform/app: what every process of ours is made of and how it starts and stops.
 *
 * Owns: the modules that all apps share, the reading of the configuration at start, signals, exit codes.
 * Never does: know a feature. Invariants: a process that cannot start says why in a few lines and exits with 1; one that
 * is told to stop finishes what it has begun, for SHUTDOWN_TIMEOUT_MS at most, and exits with 0.
 */
export { PlatformModule } from './platform.module.js';
export { DATABASE_IS_SILENT, runProcess } from './run-process.js';
