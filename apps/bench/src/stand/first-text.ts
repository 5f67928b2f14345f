import { setTimeout as sleep } from 'node:timers/promises';

const DEADLINE_MS = 30_000;
const POLL_MS = 100;

/** Asks until the first success: a worker has to read first what the API then sends. @returns the body */
export async function firstText(url: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  for (const deadline = Date.now() + DEADLINE_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    const answer = await fetch(url, { headers });
    const text = await answer.text();
    if (answer.ok) return text;
  }
  throw new Error(`${url}: no success within ${DEADLINE_MS} ms`);
}
