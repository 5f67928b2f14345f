import type { SubmitOutcome } from '#exchange';
import type { SubmissionFault } from '../faults.js';
import type { Random } from '../random.js';
import { timing } from '../timing.js';

/** After this the connector gives up waiting for an answer (EXCHANGE_SUBMIT_TIMEOUT_MS). */
const TIMEOUT_MS = 15_000;
/** A process that was suspended reads an answer that came long ago. */
const SUSPENDED_MAX_MS = 120_000;

/** What becomes of one request that was written, and what the connector says of it. Times count from its writing. */
export interface Delivery {
  /** When the exchange acts on it; null = never. */
  actAfter: number | null;
  /** The exchange refuses it for a reason of its own. */
  isRefused: boolean;
  /** It reaches the exchange a second time. */
  isRepeated: boolean;
  /** When the connector has its outcome; with `acted`, no sooner than the exchange has acted. */
  answerAfter: number;
  /** The outcome; `acted` = what the exchange has answered. */
  answer: 'acted' | SubmitOutcome;
}

const unknown = (reason: string): SubmitOutcome => ({ kind: 'unknown', reason, answer: {} });

const RATE_LIMITED: SubmitOutcome = {
  kind: 'rejected',
  code: 'WITHDRAWAL_RATE_LIMIT_EXCEEDED',
  rawCode: 'EAPI:Rate limit exceeded',
  answer: {},
};

const soon = (random: Random): number => random.between(0, 2_000);
const untilTimeout = (random: Random): number => random.between(0, TIMEOUT_MS);

/** @param windowMs how long from now on the exchange may still accept; null = it has no fence. */
type Deliver = (random: Random, windowMs: number | null) => Partial<Delivery> & Pick<Delivery, 'answer'>;

/** Some time in the window, or at its very end. */
const late = (random: Random, windowMs: number | null): number => {
  const end = Math.max(0, windowMs ?? timing.lateAcceptanceMax);
  return random.chance(0.5) ? end : random.between(0, end);
};

const deliveries: Readonly<Record<Exclude<SubmissionFault, 'refused_connection'>, Deliver>> = {
  request_lost: (random) => ({
    actAfter: null,
    answerAfter: untilTimeout(random),
    answer: unknown('connection reset'),
  }),
  answer_lost: (random) => ({ answerAfter: untilTimeout(random), answer: unknown('connection reset') }),
  accepted_late: (random, windowMs) => ({
    actAfter: late(random, windowMs),
    answerAfter: untilTimeout(random),
    answer: unknown(random.pick(['timeout', 'HTTP 504'])),
  }),
  server_error_before: (random) => ({ actAfter: null, answerAfter: soon(random), answer: unknown('HTTP 502') }),
  server_error_after: (random) => ({ answerAfter: soon(random), answer: unknown('HTTP 502') }),
  slow_beyond_lease: (random) =>
    random.chance(0.5)
      ? { answerAfter: random.between(30_000, SUSPENDED_MAX_MS), answer: 'acted' }
      : { answerAfter: TIMEOUT_MS, answer: unknown('timeout') },
  hang: (random, windowMs) => ({
    actAfter: random.chance(0.5) ? null : late(random, windowMs),
    answerAfter: TIMEOUT_MS,
    answer: unknown('timeout'),
  }),
  too_many_requests: (random) => ({
    actAfter: null,
    answerAfter: soon(random),
    answer: random.chance(0.5) ? RATE_LIMITED : unknown('HTTP 429'),
  }),
  malformed_success: (random) => ({
    ...(random.chance(0.5) ? { actAfter: null } : {}),
    answerAfter: soon(random),
    answer: unknown('neither an id nor an error'),
  }),
  definite_refusal: () => ({ isRefused: true, answer: 'acted' }),
  duplicate_answer: () => ({ isRepeated: true, answer: 'acted' }),
};

export function deliveryOf(
  fault: Exclude<SubmissionFault, 'refused_connection'> | null,
  random: Random,
  windowMs: number | null,
): Delivery {
  const usual = {
    actAfter: soon(random),
    isRefused: false,
    isRepeated: false,
    answerAfter: soon(random),
    answer: 'acted' as const,
  };
  return fault === null ? usual : { ...usual, ...deliveries[fault](random, windowMs) };
}
