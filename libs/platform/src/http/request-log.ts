import type { RequestLogger } from '#platform/logging';

/** The facts of an access log line. */
export interface RequestLine {
  method: string;
  /** Pattern of the route; undefined = no such route. */
  route: string | undefined;
  status: number;
  ms: number;
}

const FIRST_ERROR_STATUS = 400;

/** Writes one line for each request, except for some of the successful requests of prepared routes. */
export class RequestLog {
  private unlogged = 0;

  /** @param preparedEvery one in `preparedEvery` successful requests of prepared routes is logged */
  constructor(private readonly preparedEvery: number) {}

  write(log: RequestLogger, line: RequestLine, level: 'info' | 'debug' = 'info'): void {
    log.writeAccess(level, factsOf(line));
  }

  /** Logs errors, and one in `preparedEvery` other requests. @param loggerOf called only for a line that is logged */
  writePrepared(loggerOf: () => RequestLogger, line: RequestLine): void {
    if (line.status >= FIRST_ERROR_STATUS || this.preparedEvery === 1) return this.write(loggerOf(), line);
    this.unlogged += 1;
    if (this.unlogged < this.preparedEvery) return;
    this.unlogged = 0;
    loggerOf().writeAccess('info', `${factsOf(line)},"sampled":${this.preparedEvery}`);
  }
}

/** The facts as JSON with a leading comma. */
function factsOf({ method, route, status, ms }: RequestLine): string {
  const path = route === undefined ? '' : `,"route":${JSON.stringify(route)}`;
  return `,"method":"${method}"${path},"status":${status},"ms":${Math.round(ms * 10) / 10}`;
}
