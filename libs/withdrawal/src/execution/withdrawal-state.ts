/** Where a withdrawal stands. The database repeats the list and the transitions. */
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
 * From each state to the next ones. There is no way from `submitting` or `unknown` back to sending: only an attempt that
 * provably wrote nothing returns to `created`.
 */
export const allowedTransitions: Readonly<Record<WithdrawalState, readonly WithdrawalState[]>> = {
  created: ['submitting', 'rejected', 'verification_required', 'review'],
  submitting: ['created', 'submitted', 'rejected', 'verification_required', 'unknown'],
  verification_required: ['submitting', 'rejected', 'review'],
  unknown: ['submitted', 'failed', 'review'],
  review: ['submitted', 'failed'],
  submitted: ['completed', 'failed', 'canceled', 'review'],
  completed: [],
  failed: [],
  canceled: [],
  rejected: [],
};

/** Nothing will happen to it any more. */
export function isSettled(state: WithdrawalState): boolean {
  return allowedTransitions[state].length === 0;
}

/** A new attempt may be made: every earlier one is known not to have run. */
export function canSubmit(state: WithdrawalState): boolean {
  return allowedTransitions[state].includes('submitting');
}

/** How the withdrawal shows in the history of transactions. */
export function transactionStatusOf(state: WithdrawalState): 'pending' | 'ok' | 'failed' | 'canceled' {
  if (state === 'completed') return 'ok';
  if (state === 'canceled') return 'canceled';
  return state === 'failed' || state === 'rejected' ? 'failed' : 'pending';
}

/** What became of one submission. */
export const attemptOutcomes = [
  'in_flight',
  'accepted',
  'rejected',
  'verification_required',
  'not_sent',
  'unknown',
  'not_executed',
] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];
