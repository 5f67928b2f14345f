/** Calls the control API of the sandbox exchange. Opening an existing account returns it unchanged. */
export async function controlSandbox<T>(method: 'GET' | 'POST', url: string, body?: object): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`the sandbox exchange refused ${method} ${url}: ${await response.text()}`);
  return (await response.json()) as T;
}
