import type { OrderOutcome, SubmitOutcome } from '#exchange';
import type { Booking } from './exchange-model.js';
import { isUnsound, type WirePlan } from './wire-plan.js';

export type Outcome = SubmitOutcome | OrderOutcome;

/** One call that moves money, and its outcome. */
export interface Submission {
  kind: 'withdrawal' | 'order';
  /** Identifies the submission's booking at the exchange. */
  marker: string;
  plan: WirePlan;
  /** Whether the exchange refuses the submission with "insufficient funds". */
  isRefused: boolean;
  /** Whether `beforeSend` throws. Then nothing may be written. */
  isTooLate: boolean;
  /** Number of times that `beforeSend` allowed the submission. */
  sends: number;
  /** Number of times that the client wrote the whole request. */
  writes: number;
  hasSharedConnection: boolean;
  /** The outcome, after a refusal was confirmed at the account; null = the call has not ended. */
  outcome: Outcome | null;
  error: unknown;
}

export function newSubmission(
  given: Pick<Submission, 'kind' | 'marker' | 'plan' | 'isRefused' | 'isTooLate'>,
): Submission {
  return { ...given, sends: 0, writes: 0, hasSharedConnection: false, outcome: null, error: null };
}

/**
 * Checks one submission and its bookings.
 * @param isHonest true = the only faults of this run were slow responses.
 * @returns every broken rule, in words.
 */
export function judge(submission: Submission, all: readonly Booking[], isHonest: boolean): string[] {
  const { kind, marker, plan, writes, sends, outcome, error } = submission;
  const ids = all.filter((booking) => booking.marker === marker).map(({ id }) => id);
  const problems = [
    [error !== null, `threw ${error instanceof Error ? error.message : 'something'}`],
    [outcome === null && error === null, 'has not ended'],
    [ids.length > 1, `was booked ${ids.length} times`],
    [writes > 1, `was written ${writes} times`],
    [writes > 0 && sends !== 1, `was written, but beforeSend allowed it ${sends} times`],
    [submission.hasSharedConnection, 'was written on a connection that was used before'],
    [submission.isTooLate && writes > 0, 'was written too late'],
    [
      isUnsound(plan.connect) && writes > 0,
      'was written after the exchange had ended the connection or sent something on it',
    ],
    ...(outcome === null ? [] : problemsOf(submission, outcome, ids)),
    ...(outcome !== null && isHonest ? honestProblemsOf(submission, outcome) : []),
  ] as const;
  const { connect, delivery, answer } = plan;
  return problems.flatMap(([is, words]) => (is ? [`a ${kind} (${connect}, ${delivery}, ${answer}) ${words}`] : []));
}

type Problem = readonly [is: boolean, words: string];

const isRefusal = ({ kind }: Outcome): boolean => kind === 'rejected' || kind === 'verification_required';

/**
 * Checks that the outcome agrees with the bookings.
 * @param ids of the bookings of this submission.
 */
function problemsOf({ writes }: Submission, outcome: Outcome, ids: readonly string[]): readonly Problem[] {
  if (outcome.kind === 'accepted') {
    const given = 'exchangeId' in outcome ? [outcome.exchangeId] : outcome.exchangeIds;
    return [[given.join() !== ids.join(), `has the id ${given.join()}, and was booked as ${ids.join()}`]];
  }
  const isNotSent = outcome.kind === 'not_sent';
  return [
    [isNotSent && writes > 0, 'is reported as not sent, but was written'],
    [(isNotSent || isRefusal(outcome)) && ids.length > 0, `is reported as ${outcome.kind}, but was booked`],
  ];
}

function honestProblemsOf({ isRefused, isTooLate }: Submission, outcome: Outcome): readonly Problem[] {
  const reason = 'reason' in outcome ? (outcome.reason ?? '') : '';
  // Submissions with the same key wait for each other, for seconds when the exchange is slow. So a submission may end
  // as not sent for one of these reasons, although there was no fault.
  const mayWait = reason.includes('own limit') || reason === 'timeout';
  const mayBeUnsent = isTooLate || mayWait;
  return [
    [outcome.kind === 'not_sent' && !mayBeUnsent, `is reported as not sent (${reason}), but there was no fault`],
    [outcome.kind === 'unknown', `is unknown (${reason}), but there was no fault`],
    [isRefusal(outcome) && !isRefused, `is reported as ${outcome.kind}, but there was no fault`],
  ];
}
