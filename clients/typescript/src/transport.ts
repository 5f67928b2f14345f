import type { Calls, CallOptions, Request } from './call.js';
import { CausewayError, errorOfResponse, isCausewayError } from './errors.js';
import { pauseBeforeRepeat, type RetryLimits } from './retry.js';
import { sleep } from './time.js';

export interface CausewayOptions {
  /** The address of the installation, for example `https://causeway.example.com`. */
  baseUrl: string;
  /** The API key. Keep it on your server: everyone who reads the source of a page can use the key in it. */
  apiKey?: string;
  /** The organization of the key. */
  orgId?: string;
  /** The project of the key. */
  projectId?: string;
  /** The wallet of requests that name none, including the list of transactions. */
  walletId?: string;
  /** `ADMIN_TOKEN` of the installation, for the operations under `/v0/admin`. */
  adminToken?: string;
  /** The longest wait for one response. Default: 60 s. */
  timeoutMs?: number;
  /** Repeats of a request after its first attempt. Default: 3. */
  repeatsMax?: number;
  /** The longest pause before a repeat. When the service asks for a longer one, the error is thrown. Default: 30 s. */
  pauseMaxMs?: number;
  /** Sends the requests instead of the global `fetch`. */
  fetch?: typeof fetch;
}

const TIMEOUT_MS = 60_000;
const REPEATS_MAX = 3;
const PAUSE_MAX_MS = 30_000;

/** Sends requests over HTTP, and repeats those that may be repeated. */
export class Transport implements Calls {
  private readonly limits: RetryLimits;

  constructor(readonly options: CausewayOptions) {
    const { repeatsMax = REPEATS_MAX, pauseMaxMs = PAUSE_MAX_MS } = options;
    this.limits = { repeatsMax, pauseMaxMs };
  }

  async send<Result>(request: Request, input: object, options: CallOptions = {}): Promise<Result> {
    const { url, headers, body } = this.prepare(request, input, options);
    for (let number = 0; ; number += 1) {
      try {
        return (await this.attempt(url, { method: request.method, headers, body }, options.signal)) as Result;
      } catch (error) {
        if (!isCausewayError(error)) throw error;
        const pauseMs = pauseBeforeRepeat({ repeat: request.repeat, error, number }, this.limits, Math.random());
        if (pauseMs === null) throw error;
        await sleep(pauseMs, options.signal);
      }
    }
  }

  /** Divides the members of the input into path, query, header and body. */
  private prepare(request: Request, input: object, options: CallOptions) {
    const { walletId, ...members } = input as { walletId?: string };
    const rest = new Map<string, unknown>(Object.entries(request.wallet === true ? members : input));
    const take = (name: string): unknown => {
      const value = rest.get(name);
      rest.delete(name);
      return value;
    };
    const url = this.urlOf(request, take);
    const headers: Record<string, string> = { accept: 'application/json', ...this.credentials(request.credentials) };
    const wallet = walletId ?? this.options.walletId;
    if (request.wallet === true && wallet !== undefined) headers['x-svc-wallet-id'] = wallet;
    if (request.repeat === 'with_key') headers['idempotency-key'] = options.idempotencyKey ?? crypto.randomUUID();
    else if (options.idempotencyKey !== undefined) headers['idempotency-key'] = options.idempotencyKey;
    if (options.cacheControl !== undefined) headers['cache-control'] = options.cacheControl;
    if (request.body !== true) return { url, headers, body: undefined };
    headers['content-type'] = 'application/json';
    return { url, headers, body: JSON.stringify(Object.fromEntries(rest)) };
  }

  /** @param take removes a member of the input and returns it */
  private urlOf(request: Request, take: (name: string) => unknown): string {
    const path = request.path.replace(/\{(\w+)\}/g, (_: string, name: string) =>
      encodeURIComponent(textOf(name, take(name))),
    );
    const query = new URLSearchParams();
    for (const name of request.query ?? []) {
      const value = take(name) ?? (name === 'walletId' ? this.options.walletId : undefined);
      if (value !== undefined && value !== null) query.set(name, textOf(name, value));
    }
    const search = query.toString();
    return `${this.options.baseUrl.replace(/\/+$/, '')}${path}${search === '' ? '' : `?${search}`}`;
  }

  private credentials(kind: Request['credentials']): Record<string, string> {
    const { apiKey, orgId, projectId, adminToken } = this.options;
    if (kind === 'none') return {};
    if (kind === 'admin') return adminToken === undefined ? {} : { authorization: `Bearer ${adminToken}` };
    return {
      ...(apiKey !== undefined && { 'x-svc-api-key': apiKey }),
      ...(orgId !== undefined && { 'x-svc-org-id': orgId }),
      ...(projectId !== undefined && { 'x-svc-project-id': projectId }),
    };
  }

  /**
   * @throws CausewayError when the status is 400 or more, when no complete response arrives, and when the response is
   * not JSON.
   * @throws the reason of the caller's signal when the caller ended the call.
   */
  private async attempt(url: string, init: RequestInit, signal: AbortSignal | undefined): Promise<unknown> {
    signal?.throwIfAborted();
    const { timeoutMs = TIMEOUT_MS, fetch: send = fetch } = this.options;
    const deadline = AbortSignal.timeout(timeoutMs);
    let response: Response;
    let text: string;
    try {
      response = await send(url, { ...init, signal: signal ? AbortSignal.any([signal, deadline]) : deadline });
      text = await response.text();
    } catch (cause) {
      signal?.throwIfAborted();
      const message = deadline.aborted
        ? `No response from ${this.options.baseUrl} within ${timeoutMs} ms`
        : `No complete response arrived from ${this.options.baseUrl}`;
      throw new CausewayError({ code: 'CLIENT_NO_RESPONSE', message, cause });
    }
    if (!response.ok) throw errorOfResponse(response, text);
    try {
      return JSON.parse(text);
    } catch (cause) {
      const message = 'The response is not JSON';
      throw new CausewayError({ code: 'CLIENT_UNEXPECTED_RESPONSE', status: response.status, message, cause });
    }
  }
}

function textOf(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((each) => textOf(name, each)).join(',');
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new TypeError(`The member ${name} of the input is missing or has the wrong type`);
}
