/** The credentials of a call; the names are those of `.local/demo.json`. */
export interface Credentials {
  orgId: string;
  projectId: string;
  apiKey: string;
}

type Caller = Credentials & { walletId?: string };

/** The calls of the API that the launcher makes, like any other client. */
export class ApiClient {
  constructor(private readonly baseUrl: string) {}

  /** Returns whether a GET request succeeds. The default path requires only valid credentials. */
  async accepts(caller: Caller, path = '/v0/organization/api-key'): Promise<boolean> {
    const response = await fetch(this.baseUrl + path, { headers: headersOf(caller) });
    return response.ok;
  }

  call<T>(method: 'GET' | 'POST', path: string, caller: Caller, body?: object): Promise<T> {
    return this.send<T>(method, path, headersOf(caller), body);
  }

  admin<T>(token: string, path: string, body: object): Promise<T> {
    return this.send<T>('POST', path, { authorization: `Bearer ${token}` }, body);
  }

  private async send<T>(method: string, path: string, headers: Record<string, string>, body?: object): Promise<T> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path} failed with ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  }
}

function headersOf({ apiKey, orgId, projectId, walletId }: Caller): Record<string, string> {
  const headers = { 'x-svc-api-key': apiKey, 'x-svc-org-id': orgId, 'x-svc-project-id': projectId };
  return walletId === undefined ? headers : { ...headers, 'x-svc-wallet-id': walletId };
}
