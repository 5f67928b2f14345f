import { Agent, buildConnector, Client, Pool, type Dispatcher } from 'undici';
import { waitOutside } from '#platform/load';
import { limitsReached, type CallLimit, type LimitReached } from './call-limit.js';
import { decodeBody, DecodedTooLarge, encodingsOf } from './content-encoding.js';
import { DedicatedConnection, type Connect } from './dedicated-connection.js';
import { HostChoice, type OtherHost } from './host-choice.js';

/** A complete request: signed, with all headers. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A response with any status. */
export interface HttpResponse {
  readonly status: number;
  readonly body: string;
  /** The `Date` header, and the milliseconds from writing the request until the response was read. */
  readonly dated?: { readonly date: string; readonly tookMs: number };
  /** The pause that the exchange asks for with 418, 429 or 503 (`Retry-After`, RFC 9110, 10.2.3); absent = none. */
  readonly retryAfterMs?: number;
  /** The limits of calls that the response shows as used up; absent = none. */
  readonly limitsReached?: readonly LimitReached[];
}

/** The headers of a response, by their names in lower case. */
export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface SendOptions {
  /** Limits the time until the response is read. */
  readonly timeoutMs: number;
  /** The limits that the response may report. */
  readonly limits?: readonly CallLimit[];
  /** Whether to send on a connection that no other request has used or will use. Default: false. */
  readonly newConnection?: boolean;
  /** Called with the headers of the response, before the response is returned. */
  readonly onHeaders?: (headers: ResponseHeaders) => void;
}

/** Options of a request that must not be written twice. */
export interface SendOnceOptions {
  /**
   * Limits the time until the response is read. With `responseTimeoutMs`, it limits only the time until the request is
   * written.
   */
  readonly timeoutMs: number;
  /** Limits the time from the writing of the request until the response is read. */
  readonly responseTimeoutMs?: number;
  /** The limits that the response may report. */
  readonly limits?: readonly CallLimit[];
  /** Called synchronously, immediately before the first byte is written. When it throws, nothing is written. */
  readonly beforeWrite: () => void;
}

/** A request got no response. `written` = false proves that no byte of the request was written. */
export class NoResponse extends Error {
  constructor(
    readonly reason: string,
    readonly written: boolean,
    cause?: unknown,
    /** Whether a connection that had served other requests ended before the response to this one began. */
    readonly endedReused = false,
  ) {
    super(`no response: ${reason}`, { cause });
    this.name = 'NoResponse';
  }
}

/** The `NoResponse.reason` when a response is dropped because it exceeds `responseMaxBytes`, also when decoded. */
export const TOO_LARGE = 'response too large';
/** The `NoResponse.reason` when a response is dropped because its body is not encoded as it states. */
export const UNDECODABLE = 'response cannot be decoded';

/** Default of `TransportLimits.connections`. */
const CONNECTIONS = 256;

export interface TransportLimits {
  readonly connectTimeoutMs: number;
  readonly responseMaxBytes: number;
  /** Maximum number of concurrent calls to one address; further calls wait within their own time-out. */
  readonly connections?: number;
  /** Opens connections. Default: over the network. */
  readonly connect?: Connect;
  /** The exchanges with a second host. Default: none. */
  readonly otherHosts?: readonly OtherHost[];
  /** Called when the process uses another host than the usual one. */
  readonly onOtherHost?: (host: OtherHost) => void;
}

/** Sends requests. */
export type Sender = Pick<Transport, 'send' | 'sendOnce'>;

/** HTTP to exchanges: each request gets one response. No redirects, retries or proxies; time and size are limited. */
export class Transport {
  private readonly agent: Agent;
  private readonly connect: Connect;
  private readonly connection: Client.Options;
  private readonly hosts: HostChoice;

  constructor(private readonly limits: TransportLimits) {
    const { connections = CONNECTIONS, connectTimeoutMs: timeout, otherHosts = [], onOtherHost = () => {} } = limits;
    this.hosts = new HostChoice(otherHosts, {
      get: (url) => this.sendShared({ method: 'GET', url, headers: {} }, { timeoutMs: timeout }),
      nowMs: () => performance.now(),
      onOther: onOtherHost,
    });
    this.connect = limits.connect ?? buildConnector({ timeout, allowH2: false, autoSelectFamily: true });
    this.connection = {
      connect: this.connect,
      allowH2: false,
      pipelining: 1,
      // The time-outs of undici are off. `ResponseHandler` enforces ours, because it knows what was written.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    this.agent = new Agent({
      ...this.connection,
      connections,
      keepAliveTimeout: 60_000,
      factory: (origin, options) =>
        new Pool(origin, { ...options, factory: (url, each: object) => new SharedConnection(url, each) }),
    });
  }

  /** Sends a request, usually on a connection that other calls share. @throws NoResponse */
  async send(request: HttpRequest, { newConnection = false, ...options }: SendOptions): Promise<HttpResponse> {
    if (newConnection) {
      const once = { ...options, beforeWrite: () => undefined };
      return this.sendOnce(request.url, () => Promise.resolve(request), once);
    }
    return waitOutside(async () => this.sendShared({ ...request, url: await this.hosts.at(request.url) }, options));
  }

  private sendShared(request: HttpRequest, options: SendOptions): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      const answering = new ResponseHandler(options, this.limits.responseMaxBytes, resolve, reject);
      const shared: SharedDispatch = {
        ...dispatchOptions(request),
        onConnection: (own) => (answering.connection = own),
      };
      this.agent.dispatch(shared, answering);
    });
  }

  /**
   * Sends a request on a connection of its own. A shared connection may be closing while the request is written, or may
   * deliver a late response to an earlier request.
   * @param sign creates and signs the request. It is called when the connection is open.
   * @throws NoResponse, also when `sign` or `beforeWrite` threw.
   */
  sendOnce(address: string, sign: () => Promise<HttpRequest>, options: SendOnceOptions): Promise<HttpResponse> {
    return waitOutside(() => this.sendOnDedicated(address, sign, options));
  }

  private async sendOnDedicated(
    address: string,
    sign: () => Promise<HttpRequest>,
    { beforeWrite, ...times }: SendOnceOptions,
  ): Promise<HttpResponse> {
    const usual = new URL(address).origin;
    const origin = await this.hosts.at(usual);
    const own = new DedicatedConnection(new URL(origin), this.connect);
    const beforeBytes = (): void => {
      own.assertSound();
      beforeWrite();
    };
    try {
      return await new Promise<HttpResponse>((resolve, reject) => {
        const options = { ...times, beforeWrite: beforeBytes };
        const answering = new ResponseHandler(options, this.limits.responseMaxBytes, resolve, reject);
        const dispatch = async (): Promise<void> => {
          await own.open();
          const signed = await sign();
          const request = { ...signed, url: signed.url.replace(usual, origin) };
          const dispatcher = own.dispatcher(this.connection);
          dispatcher.dispatch({ ...dispatchOptions(request), reset: true }, answering);
        };
        dispatch().catch((error: unknown) => answering.fail(error));
      });
    } finally {
      own.destroy();
    }
  }

  /** Closes the shared connections. */
  async close(): Promise<void> {
    await this.agent.destroy();
  }
}

function dispatchOptions(request: HttpRequest): Dispatcher.DispatchOptions {
  const url = new URL(request.url);
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    method: request.method,
    // Compression is refused, because it only makes the work longer. Some proxies compress all the same.
    headers: { ...request.headers, 'accept-encoding': 'identity' },
    body: request.body,
  };
}

interface SharedDispatch extends Dispatcher.DispatchOptions {
  /** Called with the connection to which the request is assigned. */
  readonly onConnection?: (connection: SharedConnection) => void;
}

/** A connection that many requests use, one after the other. */
class SharedConnection extends Client {
  /** Whether this connection has delivered a whole response. */
  hasServed = false;

  constructor(...parameters: ConstructorParameters<typeof Client>) {
    super(...parameters);
    this.on('connect', () => (this.hasServed = false));
  }

  override dispatch(options: SharedDispatch, handler: Dispatcher.DispatchHandler): boolean {
    options.onConnection?.(this);
    return super.dispatch(options, handler);
  }
}

class ResponseHandler implements Dispatcher.DispatchHandler {
  /** The shared connection; absent = a dedicated one. */
  connection: SharedConnection | undefined;
  private wasReused = false;
  private controller: Dispatcher.DispatchController | null = null;
  private written = false;
  private writtenAt = 0;
  private date: string | undefined;
  private retryAfterMs: number | undefined;
  private headers: Record<string, string | string[] | undefined> = {};
  private settled = false;
  private timer: NodeJS.Timeout;
  private status = 0;
  private size = 0;
  private readonly chunks: Buffer[] = [];

  constructor(
    private readonly options: SendOptions & Partial<SendOnceOptions>,
    private readonly maxBytes: number,
    private readonly resolve: (response: HttpResponse) => void,
    private readonly reject: (error: NoResponse) => void,
  ) {
    this.timer = setTimeout(() => this.giveUp('timeout'), options.timeoutMs);
  }

  /** undici calls this method when a socket is open, and writes the request after the method has returned. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.settled) throw new Error('the request was cancelled before it was written');
    // undici may offer an interrupted request to a new connection. A request is written only once.
    if (this.written) throw new Error('the request was already written; a second copy is not sent');
    this.options.beforeWrite?.();
    this.written = true;
    this.wasReused = this.connection?.hasServed === true;
    this.writtenAt = performance.now();
    this.controller = controller;
    if (this.options.responseTimeoutMs === undefined) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.giveUp('timeout'), this.options.responseTimeoutMs);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    const { date, 'retry-after': retryAfter } = headers;
    this.status = statusCode;
    this.date = typeof date === 'string' ? date : undefined;
    const asksForPause = PAUSE_STATUSES.has(statusCode) && typeof retryAfter === 'string';
    this.retryAfterMs = asksForPause ? pauseOf(retryAfter, this.date) : undefined;
    this.headers = headers;
    this.options.onHeaders?.(headers);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.size += chunk.length;
    if (this.size > this.maxBytes) return this.giveUp(TOO_LARGE);
    this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.connection !== undefined) this.connection.hasServed = true;
    if (this.settled) return;
    const received = Buffer.concat(this.chunks);
    const encodings = encodingsOf(this.headers['content-encoding']);
    if (encodings.length === 0) return this.finish(received);
    decodeBody(received, encodings, this.maxBytes).then(
      (decoded) => this.finish(decoded),
      (error: unknown) => this.giveUp(error instanceof DecodedTooLarge ? TOO_LARGE : UNDECODABLE, error),
    );
  }

  private finish(received: Buffer): void {
    if (this.settled) return;
    this.settle();
    const { date, retryAfterMs, status, headers } = this;
    const body = received.toString('utf8');
    const reached = limitsReached(this.options.limits ?? [], { status, headers, body, retryAfterMs });
    this.resolve({
      status,
      body,
      ...(date !== undefined && { dated: { date, tookMs: this.elapsedMs } }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(reached.length > 0 && { limitsReached: reached }),
    });
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.fail(error);
  }

  fail(error: unknown): void {
    if (this.settled) return;
    this.settle();
    const reason = reasonOf(error);
    // A status means that the response has begun.
    const endedReused = this.wasReused && this.status === 0 && CONNECTION_ENDED.has(reason);
    this.reject(new NoResponse(reason, this.written, error, endedReused));
  }

  private get elapsedMs(): number {
    return performance.now() - this.writtenAt;
  }

  private giveUp(reason: string, cause?: unknown): void {
    if (this.settled) return;
    this.settle();
    this.reject(new NoResponse(reason, this.written, cause));
    this.controller?.abort(new Error(reason));
  }

  private settle(): void {
    this.settled = true;
    clearTimeout(this.timer);
  }
}

/** The reasons of failures that mean that the other side has ended the connection. */
const CONNECTION_ENDED: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/** HTTP statuses with which exchanges demand fewer calls. */
const PAUSE_STATUSES: ReadonlySet<number> = new Set([418, 429, 503]);

/** The milliseconds of `Retry-After`, which contains seconds, or a date to compare with the response's own date. */
function pauseOf(retryAfter: string, date: string | undefined): number | undefined {
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * 1_000;
  const pauseMs = Date.parse(retryAfter) - Date.parse(date ?? '');
  return pauseMs > 0 ? pauseMs : undefined;
}

function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'message' in error && typeof error.message === 'string' ? error.message : 'an unknown error';
}
