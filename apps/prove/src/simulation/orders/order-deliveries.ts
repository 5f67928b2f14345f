import type { OrderOutcome } from '#exchange';
import type { Random } from '../world/random.js';
import type { OrderFault } from './order-faults.js';
import { orderTiming } from './order-timing.js';

/** The connector's time-out for a submission (EXCHANGE_SUBMIT_TIMEOUT_MS). */
const TIMEOUT_MS = 15_000;
/** Longest time for which a suspended process leaves a response unread. */
const SUSPENDED_MAX_MS = 120_000;

/** How the network and the exchange treat one request, and the connector's outcome. */
export interface OrderDelivery {
  /** Milliseconds from the sending until the exchange acts on the request; null = never. */
  actAfter: number | null;
  /** Whether the exchange refuses the request. */
  isRefused: boolean;
  /** Milliseconds from the first action until the exchange acts on a second copy; null = there is no second copy. */
  againAfter: number | null;
  isSecondRefused: boolean;
  /** Milliseconds from the sending, or from the action that is answered, until the connector has its outcome. */
  answerAfter: number;
  /** The outcome; `acted` = the exchange's response, `again` = its response to the second copy. */
  answer: 'acted' | 'again' | OrderOutcome;
  /** The id in the response to an accepted order; null = the right one. */
  wrongId: string | null;
}

const unknown = (reason: string): OrderOutcome => ({ kind: 'unknown', reason, answer: {} });

/** The definite refusals that exchanges document, with the reasons that the connectors give. */
const REFUSALS: readonly [OrderOutcome, ...OrderOutcome[]] = [
  refusal('GENERIC_INVALID_REQUEST', 'EOrder:Insufficient funds', 'insufficient_balance'),
  refusal('GENERIC_INVALID_REQUEST', 'EOrder:Orders limit exceeded', 'too_many_open_orders'),
  refusal('GENERIC_VALIDATION_ERROR', 'EOrder:Order minimum not met'),
  refusal('TRADING_ROUTE_UNAVAILABLE', 'EService:Market in cancel_only mode', 'cancel_only'),
  refusal('TRADING_PROVIDER_ERROR', 'EGeneral:Permission denied', 'permission_missing'),
  refusal('TRADING_ORDER_TYPE_NOT_SUPPORTED', 'EService:Market in limit_only mode', 'limit_only'),
];

export const RATE_LIMITED = refusal('GENERIC_RATE_LIMIT_EXCEEDED', 'EAPI:Rate limit exceeded');
const KEY_REFUSED = refusal('WALLET_INVALID_CREDENTIALS', 'EAPI:Invalid key');

/** Draws one of the definite refusals. */
export function drawRefusal(random: Random): OrderOutcome {
  return random.pick(REFUSALS);
}

const soon = (random: Random): number => random.between(0, 2_000);
const untilTimeout = (random: Random): number => random.between(0, TIMEOUT_MS);
const late = (random: Random, windowMs: number | null): number => {
  const end = Math.max(0, windowMs ?? orderTiming.lateAcceptanceMax);
  return random.chance(0.5) ? end : random.between(0, end);
};
/** A bare 429, or a 429 with the code of the exchange. */
const tooMany = (random: Random): OrderOutcome => (random.chance(0.5) ? RATE_LIMITED : unknown('HTTP 429'));

/** @param windowMs the time that is left until the submission deadline of the request; null = it has none. */
type Deliver = (random: Random, windowMs: number | null) => Partial<OrderDelivery> & Pick<OrderDelivery, 'answer'>;
type SentFault = Exclude<OrderFault, 'refused_connection' | 'own_limit'>;

const deliveries: Readonly<Record<SentFault, Deliver>> = {
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
  too_many_requests_before: (random) => ({ actAfter: null, answerAfter: soon(random), answer: tooMany(random) }),
  too_many_requests_after: (random) => ({ actAfter: 0, answerAfter: soon(random), answer: tooMany(random) }),
  malformed_success: (random) => ({
    ...(random.chance(0.5) ? { actAfter: null } : {}),
    answerAfter: soon(random),
    answer: unknown('the response has neither an id nor an error'),
  }),
  definite_refusal: () => ({ isRefused: true, answer: 'acted' }),
  executed_but_refused: (random) => ({ actAfter: 0, answerAfter: soon(random), answer: drawRefusal(random) }),
  key_refused: (random) => ({
    ...(random.chance(0.5) ? { actAfter: null } : { actAfter: 0 }),
    answerAfter: soon(random),
    answer: KEY_REFUSED,
  }),
  // The id of the first order at the exchange, which may be this one, or of no order.
  wrong_id: (random) => ({ answer: 'acted', wrongId: random.pick(['O1', 'O0']) }),
  delivered_twice: (random) => ({
    againAfter: random.between(0, 10_000),
    answerAfter: soon(random),
    answer: random.chance(0.75) ? 'again' : unknown(random.pick(['HTTP 502', 'timeout'])),
  }),
  second_copy_refused: (random) => ({
    againAfter: random.between(0, 10_000),
    isSecondRefused: true,
    answerAfter: soon(random),
    answer: 'again',
  }),
};

export function orderDeliveryOf(fault: SentFault | null, random: Random, windowMs: number | null): OrderDelivery {
  const usual = {
    actAfter: soon(random),
    isRefused: false,
    againAfter: null,
    isSecondRefused: false,
    answerAfter: soon(random),
    answer: 'acted' as const,
    wrongId: null,
  };
  return fault === null ? usual : { ...usual, ...deliveries[fault](random, windowMs) };
}

function refusal(
  code: Extract<OrderOutcome, { kind: 'rejected' }>['code'],
  rawCode: string,
  reason?: string,
): OrderOutcome {
  return { kind: 'rejected', code, rawCode, reason, answer: { error: [rawCode] } };
}
