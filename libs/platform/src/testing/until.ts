import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 10;
/** Longest wait. It is shorter than the time-out of a test, so that the test fails with the message of `until`. */
const TIMEOUT_MS = 150_000;

/**
 * Calls `look` until it returns true. The pauses between the calls leave the processor to the work for which the test
 * waits.
 * @throws after `timeoutMs`, with `what` in the message.
 */
export async function until(
  what: string,
  look: () => boolean | Promise<boolean>,
  timeoutMs: number = TIMEOUT_MS,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await look())) {
    if (performance.now() > deadline) throw new Error(`not within ${timeoutMs / 1_000} s: ${what}`);
    await pause(POLL_MS);
  }
}

/** Resolves when `check` no longer throws. After `withinMs` it rejects with the last failure of `check`. */
export async function eventually(check: () => void | Promise<void>, withinMs = 10_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await pause(POLL_MS);
  }
}
