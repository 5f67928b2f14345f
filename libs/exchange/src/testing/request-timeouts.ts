import { mock } from 'node:test';
import type { Behaviour } from './stub-exchange.js';

const READ_MS = 59_999;
const SUBMIT_MS = 18_999;

/** Settings with time-outs that a busy machine does not reach. */
export const patientTimeouts = {
  EXCHANGE_TIMEOUT_MS: String(READ_MS),
  EXCHANGE_SUBMIT_TIMEOUT_MS: String(SUBMIT_MS),
};

/**
 * Lets the time-outs of requests to exchanges pass in the tests of a file, which use `patientTimeouts`. With short
 * time-outs instead, a busy machine could miss one of them although the exchange responds.
 * @returns the behaviour of an endpoint that never responds: when it has the request, the time-out passes
 *   at once.
 */
export function withPassingTimeouts(): Behaviour {
  const waiting = new Map<unknown, () => void>();
  const { setTimeout: start, clearTimeout: clear } = globalThis;
  const startWaiting = (run: () => void, ms?: number, ...args: unknown[]): NodeJS.Timeout => {
    const timer = start(run, ms, ...(args as []));
    if (ms === READ_MS || ms === SUBMIT_MS) waiting.set(timer, run);
    return timer;
  };
  const stopWaiting = (timer?: NodeJS.Timeout): void => {
    waiting.delete(timer);
    clear(timer);
  };
  const pass = (): void => {
    for (const [timer, run] of waiting) {
      waiting.delete(timer);
      clear(timer as NodeJS.Timeout);
      run();
    }
  };
  const mocks: { restore: () => void }[] = [];
  beforeAll(() => {
    mocks.push(mock.method(globalThis, 'setTimeout', startWaiting as typeof setTimeout).mock);
    mocks.push(mock.method(globalThis, 'clearTimeout', stopWaiting as typeof clearTimeout).mock);
  });
  afterAll(() => {
    for (const each of mocks) each.restore();
  });
  // By the second turn of the event loop, the caller has read what the endpoint has sent of a response.
  return () => void setImmediate(() => setImmediate(pass));
}
