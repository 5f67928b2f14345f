import type { Withdrawal, WithdrawalAttempt } from '#withdrawal';
import type { Rows, TransactionRow } from '../store/simulated-store.js';

/** The final states, with the status of the withdrawal's transaction in each. */
const STATUS_OF: Readonly<Record<string, TransactionRow['status']>> = {
  completed: 'ok',
  failed: 'failed',
  rejected: 'failed',
  canceled: 'canceled',
};

/**
 * For each state of a withdrawal, the possible outcomes of its live attempt, which was sent or may have been sent;
 * `null` = it has no live attempt.
 */
const LIVE_IN: Readonly<Record<Withdrawal['state'], readonly (WithdrawalAttempt['outcome'] | null)[]>> = {
  created: [null],
  verification_required: [null],
  rejected: [null],
  submitting: ['in_flight'],
  unknown: ['unknown'],
  review: ['unknown', 'accepted', 'disputed'],
  submitted: ['accepted'],
  completed: ['accepted'],
  canceled: ['accepted'],
  // The withdrawal was not executed (null), or it was executed and failed at the exchange.
  failed: [null, 'accepted'],
};

export function isAtRest({ state }: Pick<Withdrawal, 'state'>): boolean {
  return state in STATUS_OF || state === 'review';
}

/**
 * Checks the rules that hold after every step.
 * @param isRestored true = attempts may be missing.
 * @returns the broken rules.
 */
export function brokenInvariants({ withdrawals, attempts, transactions }: Rows, isRestored: boolean): string[] {
  const live = attempts.filter(({ outcome }) => ['in_flight', 'unknown', 'accepted', 'disputed'].includes(outcome));
  const unresolved = live.filter(({ outcome }) => outcome === 'in_flight' || outcome === 'unknown');
  return [
    ...repeated('quote', withdrawals, ({ quoteId }) => quoteId),
    ...repeated('exchange id', withdrawals, ({ exchangeId }) => exchangeId),
    ...repeated('live attempt', live, ({ withdrawalId }) => withdrawalId),
    ...repeated('debit key', unresolved, ({ debitKey }) => debitKey),
    ...repeated('receipt key', unresolved, ({ receiptKey }) => receiptKey),
    ...withdrawals.flatMap((withdrawal) => [
      ...brokenIn(
        withdrawal,
        live.filter(({ withdrawalId }) => withdrawalId === withdrawal.id),
        isRestored,
      ),
      ...brokenTransaction(
        withdrawal,
        transactions.find(({ id }) => id === withdrawal.transactionId),
      ),
    ]),
  ];
}

function brokenIn(withdrawal: Withdrawal, live: WithdrawalAttempt[], isRestored: boolean): string[] {
  const problems: string[] = [];
  const [attempt = null] = live;
  const name = `withdrawal ${withdrawal.id} (${withdrawal.state})`;
  const isForgotten = isRestored && attempt === null;
  if (!isForgotten && !LIVE_IN[withdrawal.state].includes(attempt?.outcome ?? null)) {
    const found =
      attempt === null
        ? 'no attempt that was sent or may have been sent'
        : `an attempt with the outcome ${attempt.outcome}`;
    problems.push(`${name} has ${found}, which its state does not allow`);
  }
  if (attempt?.outcome === 'accepted' && attempt.exchangeId !== withdrawal.exchangeId) {
    problems.push(`${name} is linked to ${withdrawal.exchangeId}, its attempt to ${attempt.exchangeId}`);
  }
  if (!isAtRest(withdrawal) && withdrawal.nextCheckAt === null) problems.push(`${name} will never be checked again`);
  return problems;
}

function brokenTransaction(withdrawal: Withdrawal, transaction: TransactionRow | undefined): string[] {
  const expected = STATUS_OF[withdrawal.state] ?? 'pending';
  if (transaction?.status === expected) return [];
  return [
    `the transaction of withdrawal ${withdrawal.id} (${withdrawal.state}) is ${transaction?.status ?? 'missing'}`,
  ];
}

function repeated<Row>(what: string, rows: readonly Row[], keyOf: (row: Row) => string | null): string[] {
  const keys = rows.map(keyOf).filter((key) => key !== null);
  return keys.filter((key, index) => keys.indexOf(key) < index).map((key) => `${what} ${key} exists twice`);
}
