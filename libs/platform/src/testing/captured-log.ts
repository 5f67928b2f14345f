import { pino, type Logger } from 'pino';

/** A logger whose lines a test reads: the members of each line, with the text as `msg`. */
export function capturedLog(): { logger: Logger; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
  return { logger, lines };
}
