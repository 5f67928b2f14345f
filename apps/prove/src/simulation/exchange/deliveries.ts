import type { SubmitOutcome } from '#exchange';
import type { SubmissionFault } from '../scenario/faults.js';
import type { Random } from '../world/random.js';
import { timing } from '../scenario/timing.js';

/** The connector's time-out for a submission (EXCHANGE_SUBMIT_TIMEOUT_MS). */
const TIMEOUT_MS = 15_000;
/** Longest time for which a suspended process leaves a response unread. */
const SUSPENDED_MAX_MS = 120_000;

/** How the account shows a withdrawal late. */
export interface Delays {
  /** The time until the history and the balance show it. */
  shownAfter: number;
  /** Whether an equal deposit arrives when the exchange executes it. */
  isHidden: boolean;
}

/**
 * How the network and the exchange treat one request, and the connector's outcome. Times are milliseconds from the
 * sending, unless their comment says otherwise.
 */
export interface Delivery {
  /** When the exchange acts on the request; null = never. */
  actAfter: number | null;
  /** Whether the exchange refuses the request. */
  isRefused: boolean;
  /** How the account shows the withdrawal late; null = it shows the withdrawal at once. */
  delays: Delays | null;
  /**
   * The second copy of the request; its `actAfter` counts from the moment at which the exchange acts on the first copy.
   * null = there is no second copy.
   */
  again: { actAfter: number; isRefused: boolean } | null;
  /** When the connector has its outcome; for `acted` and `again`, the time since the exchange acted. */
  answerAfter: number;
  /** The outcome; `acted` = the exchange's response, `again` = its response to the second copy. */
  answer: 'acted' | 'again' | SubmitOutcome;
}

const unknown = (reason: string): SubmitOutcome => ({ kind: 'unknown', reason, answer: {} });

const RATE_LIMITED: SubmitOutcome = {
  kind: 'rejected',
  code: 'WITHDRAWAL_RATE_LIMIT_EXCEEDED',
  rawCode: 'EAPI:Rate limit exceeded',
  answer: {},
};

const REFUSED: SubmitOutcome = {
  kind: 'rejected',
  code: 'WITHDRAWAL_INVALID_ADDRESS',
  rawCode: 'EFunding:Unknown withdraw key',
  answer: {},
};

const soon = (random: Random): number => random.between(0, 2_000);
/**
 * Draws the second copy of a request. It follows the first copy so soon that the exchange responds to it before the
 * connector's time-out.
 */
const again = (random: Random, isRefused: boolean): Delivery['again'] => ({
  actAfter: random.between(0, 10_000),
  isRefused,
});
const untilTimeout = (random: Random): number => random.between(0, TIMEOUT_MS);

/**
 * Draws the delivery of one request.
 * @param windowMs the time that is left until the submission deadline of the request; null = it has none.
 */
type Deliver = (random: Random, windowMs: number | null) => Partial<Delivery> & Pick<Delivery, 'answer'>;

/**
 * Draws when the exchange gets a delayed request: in half of the cases at the end of the window, otherwise at any
 * moment in it.
 */
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
    answer: unknown('the response has neither an id nor an error'),
  }),
  definite_refusal: () => ({ isRefused: true, answer: 'acted' }),
  // A network component sends the request a second time. The connector gets the response to the second copy, or an
  // error of the network.
  delivered_twice: (random) => ({
    again: again(random, false),
    answerAfter: soon(random),
    answer: random.chance(0.75) ? 'again' : unknown(random.pick(['HTTP 502', 'timeout'])),
  }),
  second_copy_refused: (random) => ({ again: again(random, true), answerAfter: soon(random), answer: 'again' }),
  executed_refusal: (random) => ({
    actAfter: 0,
    delays: { shownAfter: random.between(0, timing.refusedLagMax - 1), isHidden: random.chance(0.5) },
    answerAfter: soon(random),
    answer: REFUSED,
  }),
  // The second look comes at the lag of the exchange, but processes sleep longer than they ask for.
  disproved_refusal: (random) => ({
    actAfter: 0,
    delays: { shownAfter: random.between(4 * timing.refusedLagMax, timing.disprovedLagMax), isHidden: false },
    answerAfter: soon(random),
    answer: REFUSED,
  }),
  duplicate_answer: (random) => ({ again: again(random, false), answer: 'acted' }),
};

export function deliveryOf(
  fault: Exclude<SubmissionFault, 'refused_connection'> | null,
  random: Random,
  windowMs: number | null,
): Delivery {
  const usual = {
    actAfter: soon(random),
    isRefused: false,
    delays: null,
    again: null,
    answerAfter: soon(random),
    answer: 'acted' as const,
  };
  return fault === null ? usual : { ...usual, ...deliveries[fault](random, windowMs) };
}
