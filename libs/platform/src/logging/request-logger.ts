import type { FastifyBaseLogger } from 'fastify';
import { pino, type Logger } from 'pino';
import { scrub } from './scrub.js';

const LEVELS = { info: 30, debug: 20 } as const;
const MESSAGE = ',"message":"request"}\n';

type Members = Readonly<Record<string, string | undefined>>;
type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/** The members of a pino logger from which an access line is built. */
interface LineSource {
  /** The members of the logger and its parents, as JSON with a leading comma. */
  [pino.symbols.chindingsSym]: string;
  [pino.symbols.streamSym]: { write: (line: string) => void };
}

let writtenAt = 0;
let time = '';

/**
 * The logger of one request. Most requests have only their access line, which this class writes in the format of pino
 * at a tenth of the cost. For the first other line, it makes a logger of pino.
 */
export class RequestLogger implements FastifyBaseLogger {
  private made: Logger | null = null;

  /** @param members written to every line, as JSON with a leading comma */
  private constructor(
    private readonly parent: Logger,
    private readonly members: string,
  ) {}

  static of(parent: Logger, members: Members): RequestLogger {
    return new RequestLogger(parent, toText(members));
  }

  child(members: Members): RequestLogger {
    return new RequestLogger(this.parent, this.members + toText(members));
  }

  /**
   * Writes the access line. @param facts the line's own members, as JSON with a leading comma. They must contain no
   * text of the caller, because secrets are not removed from them.
   */
  writeAccess(level: keyof typeof LEVELS, facts: string): void {
    if (!this.parent.isLevelEnabled(level)) return;
    const now = Date.now();
    if (now !== writtenAt) {
      writtenAt = now;
      time = new Date(now).toISOString();
    }
    const source = this.parent as Logger & LineSource;
    // Secrets are removed, because a caller may have sent a member, such as the id of the request.
    const members = source[pino.symbols.chindingsSym] + scrub(this.members);
    source[pino.symbols.streamSym].write(`{"level":${LEVELS[level]},"time":"${time}"${members}${facts}${MESSAGE}`);
  }

  /** The parent's stream. `logRepeated` counts separately for each stream, and so counts all requests together. */
  get [pino.symbols.streamSym](): object {
    return (this.parent as Logger & LineSource)[pino.symbols.streamSym];
  }

  get level(): string {
    return this.parent.level;
  }

  fatal(...line: unknown[]): void {
    this.write('fatal', line);
  }

  error(...line: unknown[]): void {
    this.write('error', line);
  }

  warn(...line: unknown[]): void {
    this.write('warn', line);
  }

  info(...line: unknown[]): void {
    this.write('info', line);
  }

  debug(...line: unknown[]): void {
    this.write('debug', line);
  }

  trace(...line: unknown[]): void {
    this.write('trace', line);
  }

  silent(...line: unknown[]): void {
    this.write('silent', line);
  }

  private write(level: Level, line: unknown[]): void {
    this.made ??= this.parent.child(JSON.parse(`{${this.members.slice(1)}}`) as object);
    this.made[level](...(line as [object, string]));
  }
}

function toText(members: Members): string {
  let text = '';
  for (const name in members) {
    const value = members[name];
    if (value !== undefined) text += `,"${name}":${JSON.stringify(value)}`;
  }
  return text;
}
