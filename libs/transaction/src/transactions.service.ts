import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { ProjectContext } from '#access';
import type { Amount } from '#money';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { NotFound } from '#platform/errors';
import { Transaction, type TransactionStatus } from './transaction.entity.js';

/** What is known of a withdrawal before the exchange has heard of it. */
export interface WithdrawalDraft {
  /** UUIDv7, made by the caller. */
  id: string;
  projectId: string;
  /** Our id of the wallet. */
  walletId: string;
  /** The caller's id of the wallet. */
  walletRef: string;
  exchange: string;
  asset: string;
  /** What arrives. */
  amount: Amount;
  fee: Amount;
  feeAsset: string;
  /** US dollars; left out when no price is known. */
  amountInFiat?: Amount;
  feeInFiat?: Amount;
  addressTo: string;
  tag: string | null;
  network: string;
  occurredAt: Date;
}

/** What the exchange has told since about a transaction of ours. */
export interface ExchangeFacts {
  exchangeTransactionId: string;
  hash?: string | null;
  /** What the exchange really charged. */
  fee?: Amount | null;
}

/** The history of wallets: reads for callers, and the writes of the withdrawals that execute makes. */
@Injectable()
export class Transactions {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * A transaction of the project, also when its wallet is deleted.
   * @throws NotFound when there is none; a malformed id and one of another project look the same.
   */
  async get(project: Pick<ProjectContext, 'id'>, id: string): Promise<Transaction> {
    const found = isUuid(id) ? await this.db.repository(Transaction).findOneBy({ id, projectId: project.id }) : null;
    if (found === null) throw new NotFound('Transaction');
    return found;
  }

  /** Writes a withdrawal as `pending`, in the database transaction that claims it. */
  async recordWithdrawal(tx: EntityManager, draft: WithdrawalDraft): Promise<void> {
    const { amountInFiat, feeInFiat, ...given } = draft;
    const now = this.clock.now();
    await tx.insert(Transaction, {
      ...given,
      exchangeTransactionId: null,
      type: 'withdrawal',
      direction: 'out',
      status: 'pending',
      amountInFiat: amountInFiat ?? null,
      feeInFiat: feeInFiat ?? null,
      fiatCurrency: amountInFiat === undefined && feeInFiat === undefined ? null : 'USD',
      addressFrom: null,
      hash: null,
      origin: 'execution',
      createdAt: now,
      updatedAt: now,
    });
  }

  /** Settles a pending transaction; one that is settled already stays as it is, however it was settled. */
  async settle(
    tx: EntityManager,
    id: string,
    { status, at }: { status: Exclude<TransactionStatus, 'pending'>; at: Date },
  ): Promise<void> {
    await this.db.query(
      `update transactions set status = $2, updated_at = $3 where id = $1 and status = 'pending'`,
      [id, status, at],
      tx,
    );
  }

  /** Adds what the exchange has told. Repeating it changes nothing; facts left out or null stay as they are. */
  async link(tx: EntityManager, id: string, facts: ExchangeFacts): Promise<void> {
    await this.db.query(
      `update transactions
          set exchange_transaction_id = $2, hash = coalesce($3, hash), fee = coalesce($4, fee), updated_at = $5
        where id = $1
          and (exchange_transaction_id, hash, fee) is distinct from ($2, coalesce($3, hash), coalesce($4, fee))`,
      [id, facts.exchangeTransactionId, facts.hash ?? null, facts.fee?.toString() ?? null, this.clock.now()],
      tx,
    );
  }
}
