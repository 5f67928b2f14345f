import type { Output, WalletInput } from '#client';
import type { TestApp, TestProjectWithClient } from './test-app.js';

export interface Page {
  status: number;
  /** The target of a redirect, else null. */
  location: string | null;
  headers: Headers;
  text: string;
}

export type Link = Output<'createConnectUrl'>;

let links = 0;

/** Returns a new idem. It is predictable, which is good enough for tests only. */
export function newIdem(): string {
  return `idem-of-a-test-${++links}`;
}

/** Requests a link, as the server of an application does. */
export function askForLink(
  { causeway }: Pick<TestProjectWithClient, 'causeway'>,
  input: Partial<WalletInput<'createConnectUrl'>> = {},
): Promise<Link> {
  return causeway.createConnectUrl({ walletId: `wallet-of-${links}`, exchange: 'sandbox', idem: newIdem(), ...input });
}

/** A browser for the hosted page: it keeps cookies, sends forms, and does not follow redirects. */
export class PageBrowser {
  readonly cookies = new Map<string, string>();

  /** @param headers sent with every request */
  constructor(private readonly headers: Record<string, string> = {}) {}

  async get(url: string, headers: Record<string, string> = {}): Promise<Page> {
    return await this.send(url, { headers: { accept: 'text/html', ...headers } });
  }

  /** Submits a form of the page. */
  async post(url: string, form: Record<string, string> = {}, headers: Record<string, string> = {}): Promise<Page> {
    const body = new URLSearchParams(form);
    const own = { accept: 'text/html', 'sec-fetch-site': 'same-origin', ...headers };
    return await this.send(url, { method: 'POST', body, headers: own });
  }

  /** Starts the authorization, and returns the address of the exchange that the page redirects to. */
  async leave(link: string): Promise<string> {
    const page = await this.post(`${link}/oauth`);
    const url = /http-equiv="refresh" content="0; ?url=([^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&');
    if (url === undefined) throw new Error(`not sent away: ${page.status} ${page.text}`);
    return url;
  }

  private async send(url: string, init: RequestInit): Promise<Page> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...this.headers, ...(cookie === '' ? {} : { cookie }), ...(init.headers as object) };
    const answer = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (name !== undefined && value !== undefined) this.cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    return { status: answer.status, location, headers: answer.headers, text: await answer.text() };
  }
}

export interface Allowed {
  /** The redirect back to us, with the result of the authorization. */
  redirectTo: string;
  accountId: string | null;
  grantId: string | null;
}

/** Acts as the account owner on the pages of the sandbox exchange. */
export class ExchangePerson {
  constructor(private readonly url: string) {}

  /** @param url the address of the exchange that the browser was redirected to */
  decide(
    url: string,
    what: { decision?: 'allow' | 'deny'; accountId?: string; scopes?: string[] } = {},
  ): Promise<Allowed> {
    return this.call('POST', 'oauth/authorize', { url, ...what });
  }

  moveQr(content: string, status: 'scanned' | 'confirmed' | 'denied' | 'expired'): Promise<object> {
    return this.call('POST', 'qr-logins', { content, status });
  }

  async revoke(grantId: string): Promise<void> {
    await this.call('POST', `oauth/grants/${grantId}/revoke`, {});
  }

  async grants(accountId: string): Promise<{ id: string; revoked: boolean; scopes: string[] }[]> {
    const { grants } = await this.call<{ grants: { id: string; revoked: boolean; scopes: string[] }[] }>(
      'GET',
      `oauth/grants?accountId=${accountId}`,
    );
    return grants;
  }

  private async call<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await fetch(`${this.url}/control/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }
}

/** Returns the status of an attempt and the newest message of its topic. */
export async function outcomeOf(
  app: TestApp,
  project: Pick<TestProjectWithClient, 'organizationId' | 'causeway'>,
  { idem }: { idem: string },
): Promise<{ status: string; body: Record<string, unknown> | undefined }> {
  const { status } = await project.causeway.getOutcome({ idem, orgId: project.organizationId });
  const [last] = await app.db.query<{ body: Record<string, unknown> }>(
    `select body from topic_messages where organization_id = $1 and topic = $2 order by position desc limit 1`,
    [project.organizationId, idem],
  );
  return { status, body: last?.body };
}
