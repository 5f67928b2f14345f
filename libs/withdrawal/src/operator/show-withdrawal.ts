import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database';
import { NotFound } from '#platform/errors';
import { Transactions, type Transaction } from '#transaction';
import { WithdrawalAttempt } from '../execution/withdrawal-attempt.entity.js';
import { WithdrawalStore } from '../execution/withdrawal-store.js';
import type { Withdrawal } from '../execution/withdrawal.entity.js';
import { ExchangeHistory, type HistoryAnswer } from './exchange-history.js';
import { Orphans, type Orphan } from './orphans.js';

/** Records of the exchange that are shown. */
const RECORDS_MAX = 50;

/** All that there is to know about one withdrawal, or about an orphan. */
export type ShownWithdrawal =
  | {
      kind: 'withdrawal';
      withdrawal: Withdrawal;
      transaction: Transaction;
      /** Oldest first: what was sent, and what was answered. */
      attempts: WithdrawalAttempt[];
      history: HistoryAnswer;
    }
  | { kind: 'orphan'; orphan: Orphan };

@Injectable()
export class ShowWithdrawal {
  constructor(
    private readonly db: Database,
    private readonly store: WithdrawalStore,
    private readonly transactions: Transactions,
    private readonly orphans: Orphans,
    private readonly history: ExchangeHistory,
  ) {}

  /** @param id of a withdrawal or of an orphan. @throws NotFound */
  async execute(id: string): Promise<ShownWithdrawal> {
    const withdrawal = await this.store.find(id);
    if (withdrawal === null) {
      const orphan = await this.orphans.find(id);
      if (orphan === null) throw new NotFound('Withdrawal');
      return { kind: 'orphan', orphan };
    }
    const transaction = await this.transactions.get({ id: withdrawal.projectId }, withdrawal.transactionId);
    const attempts = await this.db
      .repository(WithdrawalAttempt)
      .find({ where: { withdrawalId: id }, order: { startedAt: 'asc', id: 'asc' } });
    const history = await this.history.ask(withdrawal);
    if (history.kind === 'shown') history.records.splice(RECORDS_MAX);
    return { kind: 'withdrawal', withdrawal, transaction, attempts, history };
  }
}
