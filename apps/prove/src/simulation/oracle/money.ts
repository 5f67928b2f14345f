import type { Withdrawal } from '#withdrawal';
import type { LedgerRecord } from '../exchange/account.js';
import type { Facts } from './facts.js';

/** Reports duplicate payments, lost payments, and withdrawals that count as paid although nothing has left. */
export function moneyOf(quoteId: string, { rows, ledger, restoredInStep }: Facts): string[] {
  const moved = ledger.filter((record) => record.quoteId === quoteId);
  const withdrawal = rows.withdrawals.find((each) => each.quoteId === quoteId);
  const name = `quote ${quoteId} (${withdrawal?.state ?? 'not executed'})`;
  const ids = moved.map(({ exchangeId }) => exchangeId).join(', ');
  // Records from one step come from one request, of which the network made copies. Such copies are no fault of the
  // service.
  if (new Set(moved.map(({ sentInStep }) => sentInStep)).size > 1) return [`duplicate: ${ids} left for ${name}`];
  if (withdrawal === undefined) {
    // The comparison with the exchange finds withdrawals that a restored database does not contain.
    const isFound = ({ exchangeId, status }: LedgerRecord): boolean =>
      restoredInStep !== null && (isBack({ status }) || rows.unmatchedRecords.includes(exchangeId));
    return moved.every(isFound) ? [] : [`lost: ${ids} left for ${name}`];
  }
  const { exchangeId } = withdrawal;
  const linked = moved.find((record) => record.exchangeId === exchangeId);
  if (exchangeId !== null && linked === undefined) {
    if (moved.length === 0 && isHarmless(withdrawal, ledger)) return [];
    return [`unpaid: ${name} is linked to ${exchangeId}, which is not its own (${ids || 'it has none'})`];
  }
  if (moved.length === 0) return endWithoutMoney(withdrawal, name);
  return linked === undefined ? endUnlinked(withdrawal, moved, name) : endLinked(withdrawal, linked, name);
}

function endWithoutMoney({ state }: Withdrawal, name: string): string[] {
  return ['submitted', 'completed', 'canceled'].includes(state) ? [`unpaid: nothing left for ${name}`] : [];
}

function endUnlinked({ state }: Withdrawal, moved: readonly LedgerRecord[], name: string): string[] {
  if (state === 'review') return [];
  // The money came back, and the history never showed the record in a recognizable form, so `failed` is correct.
  if (state === 'failed' && moved.every(isBack)) return [];
  return moved.map(({ exchangeId }) => `lost: ${exchangeId} left for ${name}, which does not know it`);
}

function isBack({ status }: Pick<LedgerRecord, 'status'>): boolean {
  return status === 'failed' || status === 'canceled';
}

function endLinked({ state }: Withdrawal, { exchangeId, status }: LedgerRecord, name: string): string[] {
  if (state === 'review' || state === status) return [];
  return [`false end: the record ${exchangeId} is ${status}, but the service has ${name}`];
}

/**
 * Whether the withdrawal was linked by mistake to a failed withdrawal of the owner, and therefore failed, too. This can
 * happen when the history shows the owner's withdrawal late.
 */
function isHarmless(withdrawal: Withdrawal, ledger: readonly LedgerRecord[]): boolean {
  const linked = ledger.find(({ exchangeId }) => exchangeId === withdrawal.exchangeId);
  return withdrawal.state === 'failed' && linked?.quoteId === null && linked.status === 'failed';
}

/** Checks that the wallet's history contains the fee that the exchange really charged, and the amount that arrives. */
export function feeOf(withdrawal: Withdrawal, { rows, ledger }: Facts): string[] {
  const record = ledger.find(({ exchangeId }) => exchangeId === withdrawal.exchangeId);
  if (withdrawal.state !== 'completed' || record === undefined) return [];
  const transaction = rows.transactions.find(({ id }) => id === withdrawal.transactionId);
  const fee = transaction?.fee ?? null;
  if (fee === null || !fee.equals(record.fee)) {
    return [`the fee of withdrawal ${withdrawal.id} is ${fee?.toString() ?? 'missing'}`];
  }
  const debit = transaction?.amount.plus(fee);
  return debit?.equals(record.debit) === true
    ? []
    : [`withdrawal ${withdrawal.id} shows a debit of ${debit?.toString()}`];
}

/** Checks that a withdrawal and its record at the exchange are one row in the wallet's history. */
export function historyOf({ rows }: Facts): string[] {
  const shown = rows.transactions.filter(({ supersededBy }) => supersededBy === null);
  const empty = shown.filter((row) => row.origin === 'exchange' && row.exchangeTransactionId === null);
  const twice = rows.withdrawals.flatMap(({ exchangeId, transactionId }) => {
    const own = shown.find(({ id }) => id === transactionId);
    const others = shown.filter(
      (row) =>
        exchangeId !== null &&
        row.exchangeTransactionId === exchangeId &&
        row.externalWalletId === own?.externalWalletId,
    );
    return others
      .filter((row) => row !== own)
      .map(({ id }) => `the record ${exchangeId} has two transactions: ${transactionId} and ${id}`);
  });
  return [...twice, ...empty.map(({ id }) => `the transaction ${id} belongs to no record of the exchange`)];
}
