import { constants } from 'node:os';
import { terminateWorkers } from './own-workers.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * On a signal, calls `process.exit`. The `exit` event then stops the servers and processes that this process has
 * started.
 * @returns a function that removes the signal handlers.
 */
export function exitOnSignals(): () => void {
  const leave = (signal: NodeJS.Signals): void => {
    // The worker threads end first, because one of them could start another server while the servers are being stopped.
    void terminateWorkers().then(() => process.exit(128 + constants.signals[signal]));
  };
  for (const signal of SIGNALS) process.on(signal, leave);
  return () => {
    for (const signal of SIGNALS) process.off(signal, leave);
  };
}
