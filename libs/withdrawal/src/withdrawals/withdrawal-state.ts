/** The states of a withdrawal. The database enforces the same list and the same transitions. */
export const withdrawalStates = [
  'created',
  'submitting',
  'verification_required',
  'submitted',
  'completed',
  'failed',
  'canceled',
  'rejected',
  'unknown',
  'review',
] as const;
export type WithdrawalState = (typeof withdrawalStates)[number];

/**
 * The states that each state can change to. No transition leads from `unknown` back to sending. `submitting` returns to
 * `created` only when the attempt provably sent nothing.
 */
export const allowedTransitions: Readonly<Record<WithdrawalState, readonly WithdrawalState[]>> = {
  created: ['submitting', 'rejected', 'verification_required', 'review'],
  submitting: ['created', 'submitted', 'rejected', 'verification_required', 'unknown'],
  verification_required: ['submitting', 'rejected', 'review'],
  unknown: ['submitted', 'failed', 'review'],
  review: ['submitted', 'failed'],
  submitted: ['completed', 'failed', 'canceled', 'review'],
  completed: [],
  // The exchange shows the withdrawal after all. That is possible only without an id of the exchange.
  failed: ['review'],
  canceled: [],
  rejected: ['review'],
};

const settledStates: readonly WithdrawalState[] = ['completed', 'failed', 'canceled', 'rejected'];

/** Whether the withdrawal has ended. A record of the exchange that disproves a failure opens it again (`review`). */
export function isSettled(state: WithdrawalState): boolean {
  return settledStates.includes(state);
}

/** Whether a new attempt may be made, because every earlier attempt is known not to have been executed. */
export function canSubmit(state: WithdrawalState): boolean {
  return allowedTransitions[state].includes('submitting');
}

/** The status of the withdrawal's transaction. */
export function transactionStatusOf(state: WithdrawalState): 'pending' | 'ok' | 'failed' | 'canceled' {
  if (state === 'completed') return 'ok';
  if (state === 'canceled') return 'canceled';
  return state === 'failed' || state === 'rejected' ? 'failed' : 'pending';
}

/** The outcomes of one submission. */
export const attemptOutcomes = [
  'in_flight',
  'accepted',
  'rejected',
  'verification_required',
  'not_sent',
  'unknown',
  'not_executed',
  // The exchange shows a record of an attempt that it refused, or that was proven absent. An operator decides.
  'disputed',
] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];
