import type { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresQueueBackend, RedisQueueBackend, type BackendFactory, type IQueueBackend } from 'bullmq';

/** Pauses after failures in a row: each is STEP_MS longer, up to LAST_MS. */
const STEP_MS = 100;
const LAST_MS = 2_000;

/** Adapts a BullMQ backend so that its worker pauses between requests to an unreachable server, and can still stop. */
export function patient<B extends IQueueBackend & EventEmitter, C>(
  factory: BackendFactory<B, C>,
): BackendFactory<B, C> {
  return (name, options, extra) => {
    const backend = factory(name, options, extra);
    pauseAfterFailures(backend);
    continueAfterFailedStalledCheck(backend);
    if (backend instanceof PostgresQueueBackend) [backend, backend.connection].forEach(connectAgain);
    if (backend instanceof RedisQueueBackend) disconnectWhileReconnecting(backend);
    return backend;
  };
}

/**
 * Pauses after each failed request for the next job. BullMQ itself pauses only when the connection was refused. Without
 * this pause, a server that is starting, is full or is a read-only replica would get thousands of requests a second.
 */
function pauseAfterFailures(backend: IQueueBackend): void {
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

/**
 * Reports a failed check for stalled jobs as an error event and continues. BullMQ itself would pause for five seconds,
 * and a shutdown could not end that pause.
 */
function continueAfterFailedStalledCheck(backend: IQueueBackend & EventEmitter): void {
  const look = backend.moveStalledJobsToWait.bind(backend);
  backend.moveStalledJobsToWait = () =>
    look().catch((error: unknown) => {
      backend.emit('error', error);
      return [];
    });
}

/**
 * BullMQ keeps the outcome of its first connection to PostgreSQL twice, and each later call waits for this outcome.
 * Without this handling, a worker whose first connection failed would take no job until its process ends.
 */
function connectAgain(keeper: Pick<PostgresQueueBackend, 'waitUntilReady'>): void {
  const memo = keeper as { readyPromise?: Promise<void> };
  const wait = keeper.waitUntilReady.bind(keeper);
  keeper.waitUntilReady = async () => {
    const waiting = wait();
    const outcome = memo.readyPromise;
    try {
      await waiting;
    } catch (error) {
      if (memo.readyPromise === outcome) memo.readyPromise = undefined;
      throw error;
    }
  };
}

/**
 * Delays the end of a Redis client that waits for its next connection attempt. A client that is closed during this wait
 * never reports its end.
 */
function disconnectWhileReconnecting(backend: RedisQueueBackend): void {
  const disconnect = backend.disconnectBlocking.bind(backend);
  backend.disconnectBlocking = async (wait) => {
    const client = await backend.blockingClient;
    while (client?.status === 'reconnecting') await sleep(STEP_MS);
    await disconnect(wait);
  };
}
