import { OverBudget } from './call-queue.js';
import { meaningOf, refusalsIn, type ErrorDialect } from './error-map.js';
import { ExchangeError, type ExchangeErrorKind } from '../port/exchange-error.js';
import { NoAnswer, TOO_LARGE, type HttpAnswer } from './transport.js';

const UNREADABLE = 'unreadable answer';

/**
 * The exchange answered, but its answer cannot be used safely: nobody can read it, or it contradicts itself or what was
 * asked. It proves as little as no answer, but the caller learns that the exchange was reached.
 * @param what is shown to callers: our own words only, never those of the exchange.
 */
export class UnusableAnswer extends ExchangeError {
  constructor(exchange: string, what: string, cause?: unknown) {
    super('unavailable', exchange, what, { reason: 'unusable_answer', cause });
  }
}

/** What it means that a call has not brought an answer. */
export function withoutAnswer(exchange: string, error: unknown): ExchangeError {
  if (error instanceof ExchangeError) return error;
  if (error instanceof OverBudget) {
    return new ExchangeError('rate_limited', exchange, error.message, { reason: 'own_limit', cause: error });
  }
  if (error instanceof NoAnswer && error.reason === TOO_LARGE) return new UnusableAnswer(exchange, TOO_LARGE, error);
  const message = error instanceof NoAnswer ? error.message : 'the call failed';
  return new ExchangeError('unavailable', exchange, message, { cause: error });
}

/**
 * What an answer means that is not the one that was asked for: the exchange's own code first, the HTTP status next.
 * @param otherwise what it is when neither tells. Never `credentials_invalid`: for that an exchange has to say so
 *   itself, in a code that is listed.
 */
export function withAnswer(
  exchange: string,
  dialect: ErrorDialect,
  answer: HttpAnswer,
  otherwise: { kind: Exclude<ExchangeErrorKind, 'credentials_invalid'>; cause?: unknown },
): ExchangeError {
  const { kind: unlisted, cause } = otherwise;
  const [rawCode] = refusalsIn(dialect, answer);
  if (rawCode === undefined) {
    const kind = answer.status === 429 || answer.status === 418 ? 'rate_limited' : unlisted;
    if (kind === 'unavailable' && answer.status === 200) return new UnusableAnswer(exchange, UNREADABLE, cause);
    return new ExchangeError(kind, exchange, `HTTP ${answer.status} without a code`, { cause });
  }
  const { kind, code, reason } = meaningOf(dialect, rawCode) ?? { kind: unlisted };
  return new ExchangeError(kind, exchange, rawCode, { code, reason, rawCode, cause });
}

/** The answer of a call, parsed. @throws UnusableAnswer when `read` throws. */
export function readAnswer<T>(exchange: string, call: string, body: unknown, read: (body: unknown) => T): T {
  try {
    return read(body);
  } catch (error) {
    if (error instanceof ExchangeError) throw error;
    throw new UnusableAnswer(exchange, `${UNREADABLE} of ${call}`, error);
  }
}
