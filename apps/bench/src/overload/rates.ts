import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome } from './send.js';

const CLOSED_AT_ONCE = 24;
const TICK_MS = 5;

/** A closed loop: each client sends when it has the response to its last request. @returns successes per second */
export async function closedLoop(seconds: number, send: (index: number) => Promise<Outcome>): Promise<number> {
  const end = performance.now() + seconds * 1_000;
  let sent = 0;
  let succeeded = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < end) {
      const { status } = await send(sent++);
      if (status === '200') succeeded += 1;
    }
  };
  await Promise.all(Array.from({ length: CLOSED_AT_ONCE }, client));
  return succeeded / seconds;
}

/** An open loop: sends at this rate without waiting for responses. @returns a promise for each request */
export async function openLoop(
  { perSecond, seconds }: { perSecond: number; seconds: number },
  send: (index: number) => Promise<void>,
): Promise<Promise<void>[]> {
  const total = Math.round(perSecond * seconds);
  const sent: Promise<void>[] = [];
  const began = performance.now();
  while (sent.length < total) {
    const due = Math.min(total, ((performance.now() - began) / 1_000) * perSecond);
    while (sent.length < due) sent.push(send(sent.length));
    await sleep(TICK_MS);
  }
  return sent;
}

/** Runs `call` once per second, `seconds` times, and waits for all results. */
export async function eachSecond<T>(seconds: number, call: () => Promise<T>): Promise<T[]> {
  const results: Promise<T>[] = [];
  for (let second = 0; second < seconds; second++) {
    results.push(call());
    await sleep(1_000);
  }
  return Promise.all(results);
}
