import { connect } from 'node:net';

const HEAD_END = '\r\n\r\n';
/** Every response of the measured servers has this header. `ResponseReader` refuses a response without it. */
const LENGTH = /\r\ncontent-length: (\d+)/i;
const STATUS = { begin: 'HTTP/1.1 '.length, isSuccess: '2'.charCodeAt(0) };
const NOTHING = Buffer.alloc(0);

export interface ClosedLoopOptions {
  baseUrl: string;
  path: string;
  /** The headers of the requests, which all connections send in rotation. */
  headers: readonly Readonly<Record<string, string>>[];
  /** Number of connections. Each sends its next request when it has read the response. */
  connections: number;
  seconds: number;
}

/** The responses that all connections have read. */
export interface Responses {
  count: number;
  /** Responses of another status than 2xx, and connections that ended before their response. */
  failures: number;
  seconds: number;
  latenciesMs: number[];
}

/**
 * Sends requests on kept connections. Reads only the status and the length of each response, because parsing all
 * headers would take CPU time from the server on the same machine.
 */
export async function closedLoop(options: ClosedLoopOptions): Promise<Responses> {
  const requests = options.headers.map((headers) => requestText(options, headers));
  const began = performance.now();
  const until = began + options.seconds * 1_000;
  const measured: Measured = { latenciesMs: [], failures: 0 };
  let sent = 0;
  /** Returns null at the end of the measurement. */
  const next = (): Buffer | null =>
    performance.now() < until ? (requests[sent++ % requests.length] ?? NOTHING) : null;
  await Promise.all(
    Array.from({ length: options.connections }, async () => {
      while (performance.now() < until) await useConnection(new URL(options.baseUrl), next, measured);
    }),
  );
  const { latenciesMs, failures } = measured;
  return {
    count: latenciesMs.length,
    failures,
    seconds: (performance.now() - began) / 1_000,
    latenciesMs,
  };
}

interface Measured {
  latenciesMs: number[];
  failures: number;
}

/** Sends requests on one connection until there are no more, or until the server closes it. */
async function useConnection({ hostname, port }: URL, next: () => Buffer | null, measured: Measured): Promise<void> {
  const socket = connect(Number(port), hostname).setNoDelay();
  const response = new ResponseReader();
  let sentAt: number | null = null;
  const sendNext = (): void => {
    const request = next();
    sentAt = request === null ? null : performance.now();
    if (request === null) socket.destroy();
    else socket.write(request);
  };
  socket.on('connect', sendNext).on('data', (bytes) => {
    const isSuccess = response.read(bytes);
    if (isSuccess === null || sentAt === null) return;
    measured.latenciesMs.push(performance.now() - sentAt);
    if (!isSuccess) measured.failures += 1;
    sendNext();
  });
  await new Promise<void>((resolve, reject) => {
    socket.on('error', (error) => {
      // A server resets a connection that it does not admit. Any other failure is a fault of the benchmark.
      if ('code' in error && error.code === 'ECONNRESET') return;
      reject(error);
    });
    socket.on('close', () => {
      if (sentAt !== null) measured.failures += 1;
      resolve();
    });
  });
}

/** Finds the end of each response. */
class ResponseReader {
  private head: Buffer = NOTHING;
  private bodyLeft = 0;
  private isSuccess = false;

  /** @returns whether the response is a success; null when it is not complete yet */
  read(bytes: Buffer): boolean | null {
    if (this.bodyLeft > 0) this.bodyLeft -= bytes.length;
    else if (!this.readHead(bytes)) return null;
    return this.bodyLeft > 0 ? null : this.isSuccess;
  }

  private readHead(bytes: Buffer): boolean {
    this.head = this.head.length === 0 ? bytes : Buffer.concat([this.head, bytes]);
    const end = this.head.indexOf(HEAD_END);
    if (end < 0) return false;
    const length = LENGTH.exec(this.head.toString('latin1', 0, end))?.[1];
    if (length === undefined) throw new Error('a response has no Content-Length');
    this.isSuccess = this.head[STATUS.begin] === STATUS.isSuccess;
    this.bodyLeft = Number(length) - (this.head.length - end - HEAD_END.length);
    this.head = NOTHING;
    return true;
  }
}

function requestText({ baseUrl, path }: ClosedLoopOptions, headers: Readonly<Record<string, string>>): Buffer {
  const lines = Object.entries({ host: new URL(baseUrl).host, ...headers }).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from([`GET ${path} HTTP/1.1`, ...lines].join('\r\n') + HEAD_END);
}
