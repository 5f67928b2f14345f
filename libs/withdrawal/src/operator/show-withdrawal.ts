import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database';
import { NotFound } from '#platform/errors';
import { Transactions, type Transaction } from '#transaction';
import { WithdrawalAttempt } from '../withdrawals/withdrawal-attempt.entity.js';
import { WithdrawalStore } from '../withdrawals/withdrawal-store.js';
import type { Withdrawal } from '../withdrawals/withdrawal.entity.js';
import { ExchangeHistory, type HistoryAnswer } from './exchange-history.js';
import { UnmatchedRecords, type UnmatchedRecord } from './unmatched-records.js';

/** Maximum number of records of the exchange that are shown; more do not help an operator. */
const RECORDS_MAX = 50;

/** Everything that is known about one withdrawal, or about one unmatched record. */
export type ShownWithdrawal =
  | {
      kind: 'withdrawal';
      withdrawal: Withdrawal;
      transaction: Transaction;
      /** Oldest first. */
      attempts: WithdrawalAttempt[];
      history: HistoryAnswer;
    }
  | { kind: 'unmatched_record'; record: UnmatchedRecord };

@Injectable()
export class ShowWithdrawal {
  constructor(
    private readonly db: Database,
    private readonly store: WithdrawalStore,
    private readonly transactions: Transactions,
    private readonly unmatchedRecords: UnmatchedRecords,
    private readonly history: ExchangeHistory,
  ) {}

  /** @param id of a withdrawal or of an unmatched record. @throws NotFound */
  async execute(id: string): Promise<ShownWithdrawal> {
    const withdrawal = await this.store.find(id);
    if (withdrawal === null) {
      const record = await this.unmatchedRecords.find(id);
      if (record === null) throw new NotFound('Withdrawal');
      return { kind: 'unmatched_record', record };
    }
    const transaction = await this.transactions.get({ id: withdrawal.projectId }, withdrawal.transactionId);
    const attempts = await this.db
      .repository(WithdrawalAttempt)
      .find({ where: { withdrawalId: id }, order: { startedAt: 'asc', id: 'asc' } });
    const history = await this.history.ask(withdrawal);
    if (history.kind === 'shown') history.isComplete &&= history.records.splice(RECORDS_MAX).length === 0;
    return { kind: 'withdrawal', withdrawal, transaction, attempts, history };
  }
}
