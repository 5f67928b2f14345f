import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 25;

/** Polls `look` until its result is neither null nor false. @throws when that takes longer than `timeoutMs`. */
export async function until<T>(
  what: string,
  timeoutMs: number,
  look: () => T | null | false | Promise<T | null | false>,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== null && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`${what}: not within ${timeoutMs} ms`);
    await sleep(PAUSE_MS);
  }
}
