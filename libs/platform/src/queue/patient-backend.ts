import { setTimeout as sleep } from 'node:timers/promises';
import type { BackendFactory, IQueueBackend } from 'bullmq';

/** Pauses grow by a step with every failure in a row, up to the last. */
const STEP_MS = 100;
const LAST_MS = 2_000;

/**
 * A worker whose question for the next job fails asks again at once, unless the connection was refused: a server that is
 * starting, full or a replica would be asked thousands of times a second. With this it waits, longer every time.
 */
export function patient<B extends IQueueBackend, C>(factory: BackendFactory<B, C>): BackendFactory<B, C> {
  return (name, options, extra) => {
    const backend = factory(name, options, extra);
    const ask = backend.moveToActive.bind(backend);
    let failures = 0;
    backend.moveToActive = async (token, worker) => {
      try {
        const job: unknown[] = await ask(token, worker);
        failures = 0;
        return job;
      } catch (error) {
        failures += 1;
        await sleep(Math.min(failures * STEP_MS, LAST_MS));
        throw error;
      }
    };
    return backend;
  };
}
