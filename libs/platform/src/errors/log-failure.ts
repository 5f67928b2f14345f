import type { FastifyBaseLogger } from 'fastify';
import { logRepeated } from '#platform/logging';
import type { DomainError } from './domain-error.js';
import { InternalError } from './generic-errors.js';

/**
 * Logs why a request failed. A fault of this program is an error with its stack. An external cause (an exchange, the
 * database, too many requests) is a warning with the number of repeats since the last line.
 */
export function logFailure(log: FastifyBaseLogger, error: DomainError, now = performance.now()): void {
  if (error instanceof InternalError) return log.error({ err: error.cause ?? error }, 'request failed');
  const reason = error.details.result?.['reason'];
  const cause = `${error.code} ${error.status} ${String(reason)}`;
  const because = error.cause instanceof Error ? error.cause.message : undefined;
  logRepeated(log, 'warn', { message: error.message, cause, facts: { status: error.status, reason, because } }, now);
}
