import { constants } from 'node:os';
import { terminateWorkers } from './own-workers.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Ends this process on a signal by `process.exit`, whose event stops the servers and processes that it has started.
 * @returns the function that takes this back.
 */
export function exitOnSignals(): () => void {
  const leave = (signal: NodeJS.Signals): void => {
    // A worker thread could start another server while the servers are being stopped.
    void terminateWorkers().then(() => process.exit(128 + constants.signals[signal]));
  };
  for (const signal of SIGNALS) process.on(signal, leave);
  return () => {
    for (const signal of SIGNALS) process.off(signal, leave);
  };
}
