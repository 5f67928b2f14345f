import { OverBudget } from '../call-queue.js';
import { ExchangeError, type ExchangeErrorKind } from '../exchange-error.js';
import { NoAnswer, type HttpAnswer } from '../transport.js';
import { answerBehind } from './ccxt-class.js';
import { meaningOf, parseBody, type ErrorDialect, type ErrorMeaning } from './error-dialect.js';

/**
 * The one place where a failed read is interpreted: the exchange's own code first, the HTTP status next, the library's
 * class last, because classes mislead (a bad secret is a plain `ExchangeError`, a bare 403 a network error).
 */
export function toExchangeError(exchange: string, dialect: ErrorDialect, error: unknown): ExchangeError {
  if (error instanceof ExchangeError) return error;
  if (error instanceof OverBudget) {
    return new ExchangeError('rate_limited', exchange, error.message, { reason: 'own_limit', cause: error });
  }
  if (error instanceof NoAnswer) return new ExchangeError('unavailable', exchange, error.message, { cause: error });
  const answer = answerBehind(error);
  if (answer === null) return new ExchangeError('unavailable', exchange, 'the call failed', { cause: error });
  const [rawCode] = codesOf(dialect, answer);
  if (rawCode === undefined) {
    const kind = answer.status === 429 || answer.status === 418 ? 'rate_limited' : kindByClass(error);
    return new ExchangeError(kind, exchange, `HTTP ${answer.status} without a code`, { cause: error });
  }
  const meaning: ErrorMeaning = meaningOf(dialect, rawCode) ?? { kind: kindByClass(error) };
  return new ExchangeError(meaning.kind, exchange, rawCode, {
    code: meaning.code,
    reason: meaning.reason,
    rawCode,
    cause: error,
  });
}

/** Whether the same read may go again at once: the exchange has looked at nothing but its number. */
export function mayGoAgain(dialect: ErrorDialect, error: unknown): boolean {
  const answer = answerBehind(error);
  if (answer === null) return false;
  const codes = codesOf(dialect, answer);
  return codes.length > 0 && codes.every((code) => meaningOf(dialect, code)?.again === true);
}

function codesOf(dialect: ErrorDialect, answer: HttpAnswer): string[] {
  return dialect.codesIn(parseBody(answer.body));
}

/** Never `credentials_invalid`: for that an exchange has to say so itself, in a code that is listed. */
function kindByClass(error: unknown): ExchangeErrorKind {
  const classes = classNames(error);
  if (classes.has('RateLimitExceeded') || classes.has('DDoSProtection')) return 'rate_limited';
  if (classes.has('PermissionDenied')) return 'permission_missing';
  if (classes.has('AuthenticationError') || classes.has('OperationFailed')) return 'unavailable';
  return classes.has('BaseError') ? 'refused' : 'unavailable';
}

function classNames(error: unknown): Set<string> {
  const names = new Set<string>();
  for (let proto: unknown = error; typeof proto === 'object' && proto !== null; proto = Object.getPrototypeOf(proto)) {
    names.add(proto.constructor.name);
  }
  return names;
}
