import type { LoggerService } from '@nestjs/common';
import { destination, pino, stdSerializers, type Logger } from 'pino';
import pretty from 'pino-pretty';
import type { Config } from '#platform/config';
import { scrub } from './scrub.js';

export type { Logger } from 'pino';

/** Size at which the waiting lines are written: each write wakes a thread, which costs as much as making many lines. */
const WRITTEN_TOGETHER_BYTES = 32_768;
/** Maximum number of bytes of one write, which is what a pipe holds. */
const WRITTEN_AT_ONCE_BYTES = 65_536;
/** Longest time until a line is written. A process that exits by itself first writes the lines that still wait. */
const WRITTEN_AFTER_MS = 50;
/** Maximum number of bytes that wait while the reader of the log does not read. Further lines are dropped. */
const WAITING_MAX_BYTES = 16 * 1_048_576;

/** Writes JSON lines to standard output (readable lines with LOG_PRETTY). Text that looks like a secret is removed. */
export function createLogger(config: Config, processName: string): Logger {
  const { LOG_LEVEL, LOG_PRETTY } = config.values;
  return pino(
    {
      level: LOG_LEVEL,
      base: { process: processName },
      messageKey: 'message',
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: errorSerializer, req: () => undefined, res: () => undefined },
      hooks: { streamWrite: scrub },
    },
    LOG_PRETTY
      ? pretty({
          messageKey: 'message',
          ignore: 'pid,hostname,process,requestId,project,apiKeyId',
          translateTime: 'SYS:HH:MM:ss',
          singleLine: true,
          sync: true,
        })
      : logDestination(),
  );
}

/** @param file path of the file that gets the log; default: standard output. */
export function logDestination(file?: string): ReturnType<typeof destination> {
  const stream = destination({
    ...(file !== undefined && { dest: file }),
    sync: false,
    minLength: WRITTEN_TOGETHER_BYTES,
    maxWrite: WRITTEN_AT_ONCE_BYTES,
    periodicFlush: WRITTEN_AFTER_MS,
    maxLength: WAITING_MAX_BYTES,
  });
  joinLines(stream);
  return stream;
}

/**
 * Passes lines to the stream together, because the stream copies and measures all waiting lines in each call of
 * `write`. That takes several times as long as composing one line.
 */
function joinLines(stream: ReturnType<typeof destination>): void {
  const write = stream.write.bind(stream);
  const flush = stream.flush.bind(stream);
  const flushSync = stream.flushSync.bind(stream);
  const end = stream.end.bind(stream);
  let lines = '';
  const handOver = (): void => {
    const given = lines;
    lines = '';
    if (given !== '') write(given);
  };
  stream.write = (line) => {
    lines += line;
    if (lines.length >= WRITTEN_TOGETHER_BYTES) handOver();
    return true;
  };
  stream.flush = (done) => {
    handOver();
    flush(done);
  };
  stream.flushSync = () => {
    handOver();
    flushSync();
  };
  stream.end = () => {
    handOver();
    end();
  };
}

/** Logs an allow-list of members, because libraries attach requests, headers and keys to their errors. */
function errorSerializer(error: Error): Record<string, unknown> {
  const { type, message, stack } = stdSerializers.err(error);
  const code: unknown = 'code' in error ? error.code : undefined;
  return { type, message, code, stack, cause: error.cause instanceof Error ? errorSerializer(error.cause) : undefined };
}

/** Writes Nest's own messages to the log of this process. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: string): void {
    // At `info`, Nest would write a line for each of some hundred routes and modules.
    this.logger.debug({ context }, String(message));
  }

  warn(message: unknown, context?: string): void {
    this.logger.warn({ context }, String(message));
  }

  error(message: unknown, stack?: string, context?: string): void {
    // Nest also throws this error to the caller, which reports why the process cannot start.
    if (context === 'ExceptionHandler') return;
    if (context === 'TypeOrmModule') {
      // An attempt to connect has failed. The database is outside of this process, so the line has no stack.
      this.logger.warn({ context, because: stack?.split('\n', 1)[0] }, String(message));
      return;
    }
    this.logger.error({ context, stack, err: message instanceof Error ? message : undefined }, String(message));
  }

  debug(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }

  fatal(message: unknown, context?: string): void {
    this.logger.fatal({ context }, String(message));
  }
}
