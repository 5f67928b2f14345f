import { setTimeout as sleep } from 'node:timers/promises';

const DEADLINE_MS = 30_000;
const POLL_MS = 100;

/** Repeats a request until it succeeds, because a worker has to fetch the data first. @returns the body */
export async function firstText(url: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  for (const deadline = Date.now() + DEADLINE_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    const response = await fetch(url, { headers });
    const text = await response.text();
    if (response.ok) return text;
  }
  throw new Error(`${url}: no success within ${DEADLINE_MS} ms`);
}

/** Sends a call that must succeed. @throws Error for any status other than 2xx */
export async function postJson<T>(
  url: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
