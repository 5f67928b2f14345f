import type { HistoryAnswer, HistoryRecord, UnmatchedRecord, ShownWithdrawal, WithdrawalAttempt } from '#withdrawal';
import { time, type Columns, type Terminal } from './terminal.js';

const attemptColumns: Columns<WithdrawalAttempt> = {
  STARTED: (attempt) => time(attempt.startedAt),
  SENT: (attempt) => time(attempt.sentAt),
  OUTCOME: (attempt) => attempt.outcome,
  'EXCHANGE ID': (attempt) => attempt.exchangeId ?? '-',
  REQUEST: (attempt) => JSON.stringify(attempt.request),
  ANSWER: (attempt) => JSON.stringify(attempt.answer),
};

const recordColumns: Columns<HistoryRecord> = {
  'EXCHANGE ID': (record) => record.exchangeId,
  FITS: (record) => (record.fits ? 'yes' : 'no'),
  AT: (record) => time(record.at),
  STATUS: (record) => `${record.status} (${record.rawStatus})`,
  ARRIVES: (record) => `${record.amountNoFee.toString()} ${record.asset}`,
  FEE: (record) => record.fee?.toString() ?? '-',
  TO: (record) => record.address ?? 'unknown',
  REFERENCE: (record) => record.clientRef ?? '-',
  HASH: (record) => record.hash ?? '-',
  'BELONGS TO': (record) => record.linkedTo ?? '-',
};

/** Prints a withdrawal or an unmatched record for the operator who decides about it; as JSON, with all fields. */
export function reportWithdrawal(shown: ShownWithdrawal, terminal: Terminal): void {
  if (terminal.isJson) return terminal.value(shown);
  if (shown.kind === 'unmatched_record') return terminal.fields('UNMATCHED RECORD', fieldsOf(shown.record));
  const { withdrawal, transaction, attempts, history } = shown;
  terminal.fields('WITHDRAWAL', {
    id: withdrawal.id,
    state: `${withdrawal.state} since ${time(withdrawal.stateChangedAt)}`,
    project: withdrawal.projectId,
    wallet: transaction.externalWalletId,
    exchange: withdrawal.exchange,
    'exchange id': withdrawal.exchangeId ?? '-',
    reference: withdrawal.clientRef,
    arrives: `${withdrawal.amountNoFee.toString()} ${withdrawal.asset}`,
    fee: withdrawal.fee.toString(),
    network: withdrawal.network,
    to: withdrawal.address,
    tag: withdrawal.tag ?? '-',
    created: time(withdrawal.createdAt),
    transaction: `${transaction.id} ${transaction.status}`,
  });
  terminal.remark('ATTEMPTS');
  if (attempts.length === 0) terminal.remark('the database contains no attempt of this withdrawal');
  else terminal.list(attempts, attemptColumns);
  terminal.remark('THE EXCHANGE NOW');
  reportHistory(history, terminal);
}

function reportHistory(history: HistoryAnswer, terminal: Terminal): void {
  if (history.kind === 'erased')
    return terminal.remark('the credentials are erased, so the exchange cannot be queried');
  if (history.kind === 'refused')
    return terminal.remark(`the exchange refuses the key of the wallet: ${history.reason}`);
  if (history.kind === 'unavailable')
    return terminal.remark(
      `the exchange cannot be queried, so it may or may not have the withdrawal: ${history.reason}`,
    );
  if (history.records.length > 0) terminal.list(history.records, recordColumns);
  else if (history.isComplete)
    terminal.remark('the exchange lists no withdrawal of this asset since this withdrawal was created');
  if (!history.isComplete) terminal.remark('the exchange has more withdrawals since then than are shown here');
}

function fieldsOf(record: UnmatchedRecord): Record<string, string> {
  return {
    id: record.id,
    settled: time(record.settledAt),
    project: record.projectId,
    wallet: record.externalWalletId,
    exchange: record.exchange,
    'exchange id': record.exchangeId,
    reference: record.clientRef ?? '-',
    arrives: `${record.amountNoFee} ${record.asset}`,
    fee: record.fee ?? '-',
    to: record.address ?? 'unknown',
    status: `${record.status} when it was found`,
    booked: time(record.occurredAt),
    found: time(record.foundAt),
  };
}
