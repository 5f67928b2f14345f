import type { FastifyBaseLogger } from 'fastify';
import { logRepeated } from '#platform/logging';
import { DomainError } from './domain-error.js';
import { InternalError } from './generic-errors.js';
import { isOutage } from './outage.js';
import { RemoteError } from './remote-error.js';

/** Matches ids and numbers, which differ between two failures of the same cause. */
const VARIABLE = /[0-9a-f]{8}-[0-9a-f-]{27}|\d+/gi;
const CAUSE_MAX_CHARS = 200;

/**
 * Logs why background work or an optional part of a request failed. An unreachable exchange, database or queue, and an
 * expected refusal, are warnings without a stack; every other failure is an error with its stack. Each cause gets one
 * line in ten seconds, and `again` counts the failures since the previous line.
 * @param facts members of the log line that identify the work, such as a wallet id.
 */
export function logFailedWork(
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>,
  thrown: unknown,
  message: string,
  facts: Readonly<Record<string, unknown>> = {},
): void {
  const error = unwrap(thrown);
  const cause = causeOf(error);
  if (isExpected(error)) {
    logRepeated(log, 'warn', { message, cause, facts: { ...facts, cause, because: reasonOf(error) } });
  } else {
    logRepeated(log, 'error', { message, cause, facts: { ...facts, err: error } });
  }
}

/** Joins the messages of an error and of its causes, without a stack. */
export function reasonOf(error: Error): string {
  const own = error.message || codeOf(error) || error.name;
  return error.cause instanceof Error ? `${own}: ${reasonOf(error.cause)}` : own;
}

function unwrap(thrown: unknown): Error {
  const error = thrown instanceof InternalError ? (thrown.cause ?? thrown) : thrown;
  return error instanceof Error ? error : new Error(String(error));
}

function isExpected(error: Error): boolean {
  if (error instanceof RemoteError || error instanceof DomainError || isOutage(error)) return true;
  return error.cause instanceof Error && isExpected(error.cause);
}

function causeOf(error: Error): string {
  if (error instanceof RemoteError) return error.logCause;
  if (error.cause instanceof Error && isExpected(error.cause)) return causeOf(error.cause);
  return [error.name, codeOf(error), error.message.replaceAll(VARIABLE, '#')]
    .filter((part) => part !== '')
    .join(' ')
    .slice(0, CAUSE_MAX_CHARS);
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
