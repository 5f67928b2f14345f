import type { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { RedisQueueBackend, type BackendFactory, type IQueueBackend } from 'bullmq';

/** Pauses grow by a step with every failure in a row, up to the last. */
const STEP_MS = 100;
const LAST_MS = 2_000;

/** A backend whose worker bears it when the server is away. */
export function patient<B extends IQueueBackend & EventEmitter, C>(
  factory: BackendFactory<B, C>,
): BackendFactory<B, C> {
  return (name, options, extra) => {
    const backend = factory(name, options, extra);
    askInPauses(backend);
    lookAgainLater(backend);
    if (backend instanceof RedisQueueBackend) endBetweenAttempts(backend);
    return backend;
  };
}

/**
 * By itself a worker whose question for the next job fails asks again at once, unless the connection was refused: a
 * server that is starting, full or a replica would be asked thousands of times a second.
 */
function askInPauses(backend: IQueueBackend): void {
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
}

/** By itself a look for the jobs of dead workers that fails pauses for five seconds, which no shutdown ends. */
function lookAgainLater(backend: IQueueBackend & EventEmitter): void {
  const look = backend.moveStalledJobsToWait.bind(backend);
  backend.moveStalledJobsToWait = () =>
    look().catch((error: unknown) => {
      backend.emit('error', error);
      return [];
    });
}

/** A Redis client that is told to end between two attempts to connect never says that it has, and is waited for. */
function endBetweenAttempts(backend: RedisQueueBackend): void {
  const disconnect = backend.disconnectBlocking.bind(backend);
  backend.disconnectBlocking = async (wait) => {
    const client = await backend.blockingClient;
    while (client?.status === 'reconnecting') await sleep(STEP_MS);
    await disconnect(wait);
  };
}
