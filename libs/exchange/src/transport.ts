import { Agent, Client, type Dispatcher } from 'undici';

/** A finished request: signed, with every header. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What came back, whatever it says. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

export interface SendOptions {
  /** Until the answer is read; with `answerTimeoutMs` only until the request is written. */
  readonly timeoutMs: number;
  /** Counted from the moment the request is written. */
  readonly answerTimeoutMs?: number;
  /** Called synchronously, immediately before the first byte is written. When it throws, nothing is. */
  readonly beforeWrite?: () => void;
  /**
   * A connection that no other call uses. On a kept one the other side may be hanging up just as the request is
   * written, and then nobody can tell whether it was read.
   */
  readonly ownConnection?: boolean;
}

/** No answer. `written` is the one thing that matters about it: false = not a byte of the request was written. */
export class NoAnswer extends Error {
  constructor(
    readonly reason: string,
    readonly written: boolean,
    cause?: unknown,
  ) {
    super(`no answer: ${reason}`, { cause });
    this.name = 'NoAnswer';
  }
}

/** The reason of a `NoAnswer` whose answer was longer than `responseMaxBytes`. */
export const TOO_LARGE = 'answer too large';

/** Connections to one address, unless somebody wants fewer. */
const CONNECTIONS = 256;

export interface TransportLimits {
  readonly connectTimeoutMs: number;
  readonly responseMaxBytes: number;
  /** Calls to one address that run at once; further ones wait, on their own time. */
  readonly connections?: number;
}

/** HTTP to exchanges: one request, one answer; no redirects, no retries, no proxies, bounded time and size. */
export class Transport {
  private readonly agent: Agent;
  private readonly connection: Client.Options;

  constructor(private readonly limits: TransportLimits) {
    this.connection = {
      connect: { timeout: limits.connectTimeoutMs },
      allowH2: false,
      autoSelectFamily: true,
      pipelining: 1,
      // Both are counted by `Answering`, which also knows what was written.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    const { connections = CONNECTIONS } = limits;
    this.agent = new Agent({ ...this.connection, connections, keepAliveTimeout: 60_000 });
  }

  /** @throws NoAnswer, also when `beforeWrite` threw. */
  async send(request: HttpRequest, options: SendOptions): Promise<HttpAnswer> {
    const url = new URL(request.url);
    const client = options.ownConnection === true ? new Client(url.origin, this.connection) : null;
    try {
      return await new Promise<HttpAnswer>((resolve, reject) => {
        const answering = new Answering(options, this.limits.responseMaxBytes, resolve, reject);
        (client ?? this.agent).dispatch(
          {
            origin: url.origin,
            path: url.pathname + url.search,
            method: request.method,
            // Without an encoding the size that is counted is the size that was sent.
            headers: { ...request.headers, 'accept-encoding': 'identity' },
            body: request.body,
            reset: client !== null,
          },
          answering,
        );
      });
    } finally {
      void client?.destroy();
    }
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    await this.agent.destroy();
  }
}

class Answering implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | null = null;
  private written = false;
  private settled = false;
  private timer: NodeJS.Timeout;
  private status = 0;
  private size = 0;
  private readonly chunks: Buffer[] = [];

  constructor(
    private readonly options: SendOptions,
    private readonly maxBytes: number,
    private readonly resolve: (answer: HttpAnswer) => void,
    private readonly reject: (error: NoAnswer) => void,
  ) {
    this.timer = setTimeout(() => this.giveUp('timeout'), options.timeoutMs);
  }

  /** The library calls this with a connected socket in hand, and writes when it returns. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.settled) throw new Error('given up before it was written');
    // The library may offer an interrupted request to a new connection. It has been written once and will not be again.
    if (this.written) throw new Error('already written');
    this.options.beforeWrite?.();
    this.written = true;
    this.controller = controller;
    if (this.options.answerTimeoutMs === undefined) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.giveUp('timeout'), this.options.answerTimeoutMs);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, statusCode: number): void {
    this.status = statusCode;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.size += chunk.length;
    if (this.size > this.maxBytes) return this.giveUp(TOO_LARGE);
    this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.settled) return;
    this.settle();
    this.resolve({ status: this.status, body: Buffer.concat(this.chunks).toString('utf8') });
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (this.settled) return;
    this.settle();
    this.reject(new NoAnswer(reasonOf(error), this.written, error));
  }

  private giveUp(reason: string): void {
    if (this.settled) return;
    this.settle();
    this.reject(new NoAnswer(reason, this.written));
    this.controller?.abort(new Error(reason));
  }

  private settle(): void {
    this.settled = true;
    clearTimeout(this.timer);
  }
}

function reasonOf(error: Error): string {
  const code: unknown = 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : error.message;
}
