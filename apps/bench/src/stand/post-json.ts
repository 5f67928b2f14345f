/** A call that must succeed: nothing is in its way. */
export async function postJson<T>(
  url: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<T> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}
