import type { FastifyBaseLogger } from 'fastify';
import { writeRequestLine } from '#platform/logging';

/** The facts of an access log line. */
export interface RequestLine {
  /** Absent when the logger already has it. */
  requestId?: string;
  method: string;
  /** Pattern of the route; undefined = no such route. */
  route: string | undefined;
  status: number;
  ms: number;
  /** For a line that stands for several requests: their number. */
  sampled?: number;
}

const FIRST_ERROR_STATUS = 400;

/** Writes one line for each request, except for some of the successful requests of prepared routes. */
export class RequestLog {
  private unlogged = 0;

  /** @param preparedEvery one of so many successful requests of prepared routes is logged */
  constructor(private readonly preparedEvery: number) {}

  write(log: FastifyBaseLogger, line: RequestLine, level: 'info' | 'debug' = 'info'): void {
    const { requestId, method, route, status, ms, sampled } = line;
    const own = requestId === undefined ? '' : `,"requestId":${JSON.stringify(requestId)}`;
    const path = route === undefined ? '' : `,"route":${JSON.stringify(route)}`;
    const count = sampled === undefined ? '' : `,"sampled":${sampled}`;
    const facts = `,"method":"${method}"${path},"status":${status},"ms":${Math.round(ms * 10) / 10}${count}`;
    writeRequestLine(log, level, own, facts);
  }

  /** Logs every error. */
  writePrepared(log: FastifyBaseLogger, line: RequestLine): void {
    if (line.status >= FIRST_ERROR_STATUS || this.preparedEvery === 1) return this.write(log, line);
    this.unlogged += 1;
    if (this.unlogged < this.preparedEvery) return;
    this.unlogged = 0;
    this.write(log, { ...line, sampled: this.preparedEvery });
  }
}
