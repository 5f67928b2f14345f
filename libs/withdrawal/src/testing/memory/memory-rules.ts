import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '#transaction';
import type { WithdrawalAttempt } from '../../withdrawals/withdrawal-attempt.entity.js';
import type { Withdrawal } from '../../withdrawals/withdrawal.entity.js';
import { hasReference } from '../../settling/named-record.js';
import { allowedTransitions, isSettled } from '../../withdrawals/withdrawal-state.js';

/**
 * Throws when the database would refuse the row. `old` is the row that an UPDATE replaces, `others` the rest of the
 * table.
 */
export type RowRule<Row> = (row: Row, old: Row | null, others: Row[]) => void;

/** A statement broke a rule of the schema. `constraint` is the name that PostgreSQL reports. */
export class RuleBroken extends Error {
  constructor(
    readonly code: '23505' | '23514' | '23001',
    readonly constraint: string,
  ) {
    super(`the row breaks the constraint ${constraint}`);
  }
}

const UNIQUE = '23505';
const CHECK = '23514';
const RESTRICT = '23001';

/**
 * Refuses a row that has the same values in `columns` as another row. Rows with a null in one of the columns are not
 * compared, as with `unique (...)`.
 */
function keepUnique<Row>(row: Row, others: Row[], constraint: string, ...columns: (keyof Row)[]): void {
  if (columns.some((column) => row[column] == null)) return;
  const isSame = (other: Row): boolean => columns.every((column) => other[column] === row[column]);
  if (others.some(isSame)) throw new RuleBroken(UNIQUE, constraint);
}

function keepColumns<Row>(row: Row, old: Row, rule: string, columns: readonly (keyof Row)[]): void {
  if (columns.some((column) => !isDeepStrictEqual(row[column], old[column]))) throw new RuleBroken(RESTRICT, rule);
}

const FIXED_IN_WITHDRAWAL = [
  'id',
  'quoteId',
  'projectId',
  'mode',
  'walletId',
  'transactionId',
  'exchange',
  'asset',
  'network',
  'address',
  'tag',
  'amountNoFee',
  'fee',
  'amountWithFee',
  'clientRef',
  'credentialVersion',
  'createdAt',
] as const satisfies readonly (keyof Withdrawal)[];

export const keepWithdrawal: RowRule<Withdrawal> = (row, old, others) => {
  if (old !== null) {
    keepColumns(row, old, 'keep_withdrawal', FIXED_IN_WITHDRAWAL);
    // PostgreSQL also wants an attempt that keeps the wrong id. `keepAttempt` has the rule about that attempt.
    const isCorrected = row.exchangeId !== null && (old.state === 'submitted' || old.state === 'review');
    if (isOtherId(row, old) && !isCorrected) throw new RuleBroken(RESTRICT, 'keep_withdrawal');
    const hasFailedThere = old.state === 'failed' && old.exchangeId !== null;
    if (hasFailedThere && row.state === 'review') throw new RuleBroken(RESTRICT, 'keep_withdrawal');
    if (row.state !== old.state && !allowedTransitions[old.state].includes(row.state)) {
      throw new RuleBroken(RESTRICT, 'keep_withdrawal');
    }
  }
  const isRefused = row.state === 'rejected' || row.state === 'verification_required';
  if (isRefused !== (row.errorCode !== null)) throw new RuleBroken(CHECK, 'withdrawals_check');
  keepUnique(row, others, 'withdrawals_quote_id_key', 'quoteId');
  keepUnique(row, others, 'withdrawals_transaction_id_key', 'transactionId');
  keepUnique(row, others, 'withdrawals_wallet_id_client_ref_key', 'walletId', 'clientRef');
  keepUnique(row, others, 'withdrawals_one_record', 'mode', 'exchange', 'exchangeId');
};

/** A withdrawal is closed with evidence: the outcomes of its attempts. In memory, no operator decides. */
export function keepEvidence(row: Withdrawal, old: Withdrawal | null, attempts: WithdrawalAttempt[]): void {
  if (old === null || row.state === old.state || !isClosing(row.state)) return;
  const isFollowed = row.state === 'submitted' || old.state === 'submitted';
  const isShown = isFollowed
    ? row.exchangeId !== null &&
      attempts.some(({ outcome, exchangeId }) => outcome === 'accepted' && exchangeId === row.exchangeId)
    : !attempts.some((attempt) => isLive(attempt) || attempt.outcome === 'disputed');
  if (!isShown) throw new RuleBroken(RESTRICT, 'keep_evidence');
}

function isClosing(state: Withdrawal['state']): boolean {
  return state === 'submitted' || isSettled(state) || state === 'rejected';
}

const FIXED_IN_ATTEMPT = [
  'id',
  'withdrawalId',
  'walletId',
  'credentialVersion',
  'class',
  'clientRef',
  'debitKey',
  'receiptKey',
  'totalBefore',
  'freeBefore',
  'knownIds',
  'request',
  'startedAt',
] as const satisfies readonly (keyof WithdrawalAttempt)[];

export const keepAttempt: RowRule<WithdrawalAttempt> = (row, old, others) => {
  if (old !== null) {
    keepColumns(row, old, 'keep_attempt', FIXED_IN_ATTEMPT);
    keepOutcome(row, old);
    if (isOtherId(row, old) && !isCorrected(row, old)) throw new RuleBroken(RESTRICT, 'keep_attempt');
  }
  if (isLive(row)) keepUnique(row, others.filter(isLive), 'withdrawal_attempts_one_live', 'withdrawalId');
  if (!isUnresolved(row)) return;
  const unresolved = others.filter(isUnresolved);
  keepUnique(row, unresolved, 'withdrawal_attempts_one_debit', 'debitKey');
  keepUnique(row, unresolved, 'withdrawal_attempts_one_receipt', 'receiptKey');
};

function keepOutcome(row: WithdrawalAttempt, old: WithdrawalAttempt): void {
  const isOpen = old.outcome === 'in_flight';
  const isOpenStill = old.outcome === 'unknown' || old.outcome === 'disputed';
  const isFound = isOpenStill && (row.outcome === 'accepted' || row.outcome === 'not_executed');
  if (row.outcome !== old.outcome && !isOpen && !isFound) throw new RuleBroken(RESTRICT, 'keep_attempt');
  // Only listings of the exchange that do not show an attempt prove that it was not executed.
  if (isOpenStill && row.outcome === 'not_executed' && (row.cleanListings === 0 || old.outcome === 'disputed'))
    throw new RuleBroken(RESTRICT, 'keep_unknown_attempt');
}

/** Whether the exchange's id of a row that has one changes. */
function isOtherId(row: { exchangeId: string | null }, old: { exchangeId: string | null }): boolean {
  return old.exchangeId !== null && row.exchangeId !== old.exchangeId;
}

/** Whether an attempt gets another id with the wrong one as evidence, where the records show our reference. */
function isCorrected(row: WithdrawalAttempt, old: WithdrawalAttempt): boolean {
  return row.exchangeId !== null && row.answer?.['wrongId'] === old.exchangeId && hasReference(row);
}

export function isUnresolved({ outcome }: WithdrawalAttempt): boolean {
  return outcome === 'in_flight' || outcome === 'unknown';
}

/** Whether the attempt has moved money or may have moved it. */
export function isLive(attempt: WithdrawalAttempt): boolean {
  return attempt.outcome === 'accepted' || isUnresolved(attempt);
}

export const keepTransaction: RowRule<Transaction> = (row, old, others) => {
  if (old !== null && old.status !== 'pending' && row.status !== old.status) {
    throw new RuleBroken(RESTRICT, 'keep_settled_transaction');
  }
  const record = ['projectId', 'externalWalletId', 'exchange', 'exchangeTransactionId', 'type'] as const;
  keepUnique(row, others, 'transactions_one_record', ...record);
};
