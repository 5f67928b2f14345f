import type { FastifyBaseLogger } from 'fastify';
import type { DomainError } from './domain-error.js';
import { InternalError } from './generic-errors.js';

/** One line for each cause in this time: an outage or an overload would else write hundreds a second. */
const PERIOD_MS = 10_000;
/** More causes than there are codes and reasons; a line too many when it is not enough. */
const CAUSES_MAX = 1_000;

interface Repeats {
  loggedAt: number;
  /** Since the last line. */
  times: number;
}

const repeats = new Map<string, Repeats>();

/**
 * Logs why a request failed: a fault of ours as an error with its stack, what lies elsewhere (an exchange, the database, too
 * many requests) as a warning, with how often it has happened since the last line.
 */
export function logFailure(log: FastifyBaseLogger, error: DomainError, now = performance.now()): void {
  if (error instanceof InternalError) return log.error({ err: error.cause ?? error }, 'request failed');
  const reason = error.details.result?.['reason'];
  const cause = `${error.code} ${error.status} ${error.message} ${String(reason)}`;
  const known = repeats.get(cause);
  if (known !== undefined && now - known.loggedAt < PERIOD_MS) {
    known.times += 1;
    return;
  }
  if (repeats.size >= CAUSES_MAX) repeats.clear();
  repeats.set(cause, { loggedAt: now, times: 0 });
  const because = error.cause instanceof Error ? error.cause.message : undefined;
  const facts = { status: error.status, reason, because, again: known?.times ?? 0 };
  log.warn(facts, error.message);
}
