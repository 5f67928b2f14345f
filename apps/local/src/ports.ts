import { setTimeout as sleep } from 'node:timers/promises';
import { isPortFree } from '#platform/embedded-postgres';
import { Problem } from './problem.js';
import type { Settings } from './settings.js';

/** Longest wait until a busy port is free. */
const PATIENCE_MS = 8_000;
const PAUSE_MS = 200;

/**
 * Waits for the ports of all processes, because the processes of a killed launcher hold their ports for a moment.
 * @throws Problem that names the setting of a port that stays busy
 */
export async function waitForPorts({ host, ...ports }: Settings): Promise<void> {
  await waitForPort(host, ports.port, 'PORT');
  await waitForPort(host, ports.workerPort, 'WORKER_PORT');
  await waitForPort(host, ports.sandboxPort, 'SANDBOX_PORT');
  await waitForPort(host, ports.metricsPort, 'METRICS_PORT');
  await waitForPort(host, ports.workerMetricsPort, 'WORKER_METRICS_PORT');
}

async function waitForPort(host: string, port: number, variable: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await isPortFree(host, port))) {
    if (Date.now() > deadline) {
      throw new Problem(`Port ${port} is in use by another process. Choose another port with ${variable}=… npm start`);
    }
    await sleep(PAUSE_MS);
  }
}
