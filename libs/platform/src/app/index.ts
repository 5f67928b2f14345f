/**
 * platform/app: the shared modules of all processes, their start and their stop.
 *
 * Owns: the modules that all apps share, reading the configuration at start, signals, exit codes.
 * Never does: know a feature. Invariants: a process that cannot start writes the reason in a few lines and exits with
 * 1. A stopping process finishes the work that it has begun, for SHUTDOWN_TIMEOUT_MS at most, and exits with 0.
 */
export { PlatformModule } from './platform.module.js';
export { runProcess } from './run-process.js';
