/** The credentials of a call; the names are those of `.local/demo.json`. */
export interface Credentials {
  orgId: string;
  projectId: string;
  apiKey: string;
}

export type Caller = Credentials & { walletId?: string };
type Headers = Readonly<Record<string, string>>;

/** The calls of the API that the launcher makes, like any other client. */
export class ApiClient {
  constructor(private readonly baseUrl: string) {}

  /** Returns whether a GET request succeeds. The default path requires only valid credentials. */
  async accepts(caller: Caller, path = '/v0/organization/api-key'): Promise<boolean> {
    const response = await fetch(this.baseUrl + path, { headers: headersOf(caller) });
    return response.ok;
  }

  call<T>(method: 'GET' | 'POST', path: string, caller: Caller, body?: object): Promise<T> {
    return send<T>(method, this.baseUrl + path, headersOf(caller), body);
  }

  admin<T>(token: string, path: string, body: object): Promise<T> {
    return send<T>('POST', this.baseUrl + path, { authorization: `Bearer ${token}` }, body);
  }
}

/** Calls the control API of the sandbox exchange. Opening an existing account returns it unchanged. */
export function controlSandbox<T>(method: 'GET' | 'POST', url: string, body?: object): Promise<T> {
  return send<T>(method, url, {}, body);
}

/** The headers with the credentials of a call. */
export function headersOf({ apiKey, orgId, projectId, walletId }: Caller): Headers {
  const headers = { 'x-svc-api-key': apiKey, 'x-svc-org-id': orgId, 'x-svc-project-id': projectId };
  return walletId === undefined ? headers : { ...headers, 'x-svc-wallet-id': walletId };
}

async function send<T>(method: string, url: string, headers: Headers, body?: object): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${url} failed with ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}
