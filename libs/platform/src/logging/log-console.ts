import { format } from 'node:util';
import { logRepeated } from './log-repeated.js';
import type { Logger } from './logger.js';

/**
 * Logs what libraries would print with `console.warn` and `console.error`. For example, BullMQ prints a warning about
 * the Redis server for each of its connections.
 */
export function logConsole(logger: Logger, target: Pick<Console, 'warn' | 'error'> = console): void {
  const printer =
    (level: 'warn' | 'error') =>
    (...parts: unknown[]): void =>
      logRepeated(logger, level, { message: format(...parts), cause: 'console', facts: {} });
  Object.assign(target, { warn: printer('warn'), error: printer('error') });
}
