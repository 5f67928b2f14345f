import { setTimeout as sleep } from 'node:timers/promises';
import { isPortFree } from '#platform/embedded-postgres';
import { Problem } from './problem.js';

/** Longest wait for a port. */
const PATIENCE_MS = 8_000;
const PAUSE_MS = 200;

/** Waits for a port, because the processes of a killed launcher hold their ports for a moment. */
export async function waitForPort(host: string, port: number, variable: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await isPortFree(host, port))) {
    if (Date.now() > deadline) {
      throw new Problem(`Port ${port} is in use by another process. Choose another one with ${variable}=… npm start`);
    }
    await sleep(PAUSE_MS);
  }
}
