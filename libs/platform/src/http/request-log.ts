import type { FastifyBaseLogger } from 'fastify';

/** The facts of an access log line. */
export interface RequestLine {
  method: string;
  /** Pattern of the route; undefined = no such route. */
  route: string | undefined;
  status: number;
  ms: number;
}

const FIRST_ERROR_STATUS = 400;

/** Writes one line for each request, except for some of the successful requests of the load class `public`. */
export class RequestLog {
  private unlogged = 0;

  /** @param publicEvery one in `publicEvery` successful public requests is logged */
  constructor(private readonly publicEvery: number) {}

  write(log: FastifyBaseLogger, line: RequestLine, level: 'info' | 'debug' = 'info'): void {
    log[level](factsOf(line), 'request');
  }

  /** Logs errors, and one in `publicEvery` other requests. */
  writePublic(log: FastifyBaseLogger, line: RequestLine): void {
    if (line.status >= FIRST_ERROR_STATUS || this.publicEvery === 1) return this.write(log, line);
    this.unlogged += 1;
    if (this.unlogged < this.publicEvery) return;
    this.unlogged = 0;
    log.info({ ...factsOf(line), sampled: this.publicEvery }, 'request');
  }
}

function factsOf({ method, route, status, ms }: RequestLine): RequestLine {
  return { method, route, status, ms: Math.round(ms * 10) / 10 };
}
