import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import type { EntityManager } from 'typeorm';
import type { ProjectContext } from '#access';
import type { Amount } from '#money';
import { Clock } from '#platform/clock';
import { Database, type EntityStatement, type NamedStatement } from '#platform/database';
import { NotFound } from '#platform/errors';
import { Events, type EventType } from '#platform/events';
import { toTransactionEvent } from './transaction.event.js';
import { Transaction, type TransactionStatus } from './transaction.entity.js';

/** A withdrawal before it is sent to the exchange. */
export interface WithdrawalDraft {
  /** UUIDv7, made by the caller. */
  id: string;
  projectId: string;
  /** Our id of the wallet. */
  walletId: string;
  /** The caller's id of the wallet. */
  externalWalletId: string;
  exchange: string;
  asset: string;
  /** The amount that arrives, without the fee. */
  amount: Amount;
  fee: Amount;
  feeAsset: string;
  /** US dollars; absent when no price is known. */
  amountInFiat?: Amount;
  feeInFiat?: Amount;
  addressTo: string;
  tag: string | null;
  network: string;
  occurredAt: Date;
}

/**
 * The amounts that a withdrawal really moved, from one record of the exchange, and their values in US dollars; null =
 * not known.
 */
export interface MovedAmounts {
  /** The amount that arrives, without the fee. */
  amount: Amount;
  fee: Amount;
  amountInFiat: Amount | null;
  feeInFiat: Amount | null;
}

/** Facts that the exchange has reported about a transaction of ours. */
export interface ExchangeFacts {
  exchangeTransactionId: string;
  hash?: string | null;
  moved?: MovedAmounts | null;
}

const SUPERSEDE: NamedStatement = {
  name: 'supersede transaction',
  text: `update transactions found set superseded_by = own.id, exchange_transaction_id = null, updated_at = $3
           from transactions own
          where own.id = $1 and found.exchange_transaction_id = $2 and found.origin = 'exchange' and found.type = own.type
            and (found.project_id, found.external_wallet_id, found.exchange) = (own.project_id, own.external_wallet_id, own.exchange)
         returning found.id, found.hash, found.raw_status`,
};
const LINK: NamedStatement = {
  name: 'link transaction',
  text: `update transactions
            set exchange_transaction_id = $2, hash = coalesce($3, hash), raw_status = coalesce($4, raw_status),
                updated_at = $5
          where id = $1 and (exchange_transaction_id, hash) is distinct from ($2, coalesce($3, hash))
         returning id`,
};
const OF_PROJECT: EntityStatement<Transaction> = {
  name: 'transaction of a project',
  of: Transaction,
  where: 'id = $1 and project_id = $2',
};

const BY_ID: EntityStatement<Transaction> = { name: 'transaction', of: Transaction, where: 'id = $1' };

/** The history of wallets: reads for callers, and the writes for withdrawals that the API executes. */
@Injectable()
export class Transactions {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly events: Events,
  ) {}

  /**
   * Returns a transaction of the project, also when its wallet is deleted. When it was superseded, returns the
   * transaction that replaced it.
   * @throws NotFound when there is none, for a malformed id, and for a transaction of another project.
   */
  async get(project: Pick<ProjectContext, 'id'>, id: string): Promise<Transaction> {
    const [found] = isUUID(id) ? await this.db.readEntities(OF_PROJECT, [id, project.id]) : [];
    if (found === undefined) throw new NotFound('Transaction');
    const { supersededBy } = found;
    if (supersededBy === null) return found;
    return this.db.repository(Transaction).findOneByOrFail({ id: supersededBy });
  }

  /** Writes a withdrawal as `pending`, in the database transaction that claims the quote. */
  async recordWithdrawal(tx: EntityManager, draft: WithdrawalDraft): Promise<void> {
    const { amountInFiat = null, feeInFiat = null, ...given } = draft;
    const now = this.clock.now();
    const transaction = Object.assign(new Transaction(), {
      ...given,
      exchangeTransactionId: null,
      type: 'withdrawal' as const,
      direction: 'out' as const,
      status: 'pending' as const,
      amountInFiat,
      feeInFiat,
      fiatCurrency: amountInFiat === null && feeInFiat === null ? null : ('USD' as const),
      addressFrom: null,
      hash: null,
      origin: 'execution' as const,
      supersededBy: null,
      rawStatus: null,
      confirmedAt: null,
      blockHeight: null,
      nextEnrichAt: null,
      enrichAskedAt: null,
      enrichCount: 0,
      createdAt: now,
      updatedAt: now,
    });
    const event = toTransactionEvent('transaction.created', transaction);
    await this.db.insertEntity(tx, transaction);
    await this.events.record(tx, [event]);
  }

  /** Settles a pending transaction. The status of a settled transaction never changes. */
  async settle(
    tx: EntityManager,
    id: string,
    { status, at }: { status: Exclude<TransactionStatus, 'pending'>; at: Date },
  ): Promise<void> {
    const settled = await this.db.query(
      `update transactions set status = $2, updated_at = $3 where id = $1 and status = 'pending' returning id`,
      [id, status, at],
      tx,
    );
    if (settled.length > 0) await this.recordEvent(tx, 'transaction.updated', id);
  }

  /**
   * Opens the failed transaction of a withdrawal again, because the exchange shows the withdrawal. No other settled
   * status changes. The withdrawal must be in `review` already.
   */
  async reopen(tx: EntityManager, id: string, at: Date): Promise<void> {
    const opened = await this.db.query(
      `update transactions set status = 'pending', updated_at = $2 where id = $1 and status = 'failed' returning id`,
      [id, at],
      tx,
    );
    if (opened.length > 0) await this.recordEvent(tx, 'transaction.updated', id);
  }

  /**
   * Adds facts that the exchange has reported. A repeated call changes nothing, and neither do absent and null facts.
   * When the record already has a row, found in the exchange's history, that row is superseded.
   */
  async link(tx: EntityManager, id: string, facts: ExchangeFacts): Promise<void> {
    const now = this.clock.now();
    const [found] = await this.db.read<{ id: string; hash: string | null; raw_status: string | null }>(
      SUPERSEDE,
      [id, facts.exchangeTransactionId, now],
      tx,
    );
    const hash = facts.hash ?? found?.hash ?? null;
    const linked = await this.db.read(
      LINK,
      [id, facts.exchangeTransactionId, hash, found?.raw_status ?? null, now],
      tx,
    );
    const [transaction] = await this.db.readEntities(BY_ID, [id], tx);
    const isMoved = await this.setMoved(tx, id, facts.moved ?? null, now);
    if (isMoved) await this.recordEvent(tx, 'transaction.updated', id);
    else if (linked.length > 0) await this.recordEventOf(tx, 'transaction.updated', transaction);
    // This event has the superseded row as its subject. Clients that have stored that row recognize it by the
    // exchange's id, and delete it: docs/history.md.
    if (found !== undefined) await this.recordEvent(tx, 'transaction.updated', id, found.id);
  }

  /**
   * Replaces the exchange's id, because the exchange gave the id of another record. That record gets its own row back,
   * and the facts that came from it are removed.
   */
  async relink(tx: EntityManager, id: string, exchangeTransactionId: string): Promise<void> {
    const now = this.clock.now();
    const [wrong] = await this.db.query<{ id: string | null }>(
      `update transactions now
          set exchange_transaction_id = null, hash = null, raw_status = null, confirmed_at = null, block_height = null,
              updated_at = $2
         from transactions before
        where now.id = $1 and before.id = now.id
       returning before.exchange_transaction_id as id`,
      [id, now],
      tx,
    );
    const restored = await this.db.query<{ id: string }>(
      `update transactions found set superseded_by = null, exchange_transaction_id = $2, updated_at = $3
         from transactions own
        where own.id = $1 and found.superseded_by = own.id and found.project_id = own.project_id
       returning found.id`,
      [id, wrong?.id, now],
      tx,
    );
    for (const row of restored) await this.recordEvent(tx, 'transaction.updated', row.id);
    await this.link(tx, id, { exchangeTransactionId });
  }

  /**
   * Stores the moved amounts. Impossible amounts are a fault of the exchange and are ignored.
   * @returns whether the row has changed.
   */
  private async setMoved(tx: EntityManager, id: string, moved: MovedAmounts | null, now: Date): Promise<boolean> {
    if (moved === null || !moved.amount.isPositive() || moved.fee.isNegative()) return false;
    const { amount, fee, amountInFiat, feeInFiat } = moved;
    const changed = await this.db.query(
      `update transactions
          set amount = $2, fee = $3, amount_in_fiat = $4, fee_in_fiat = $5, updated_at = $6,
              fiat_currency = case when coalesce($4, $5) is not null then 'USD' end
        where id = $1 and (amount, fee, amount_in_fiat, fee_in_fiat) is distinct from ($2, $3, $4, $5)
       returning id`,
      [id, amount.toString(), fee.toString(), amountInFiat?.toString() ?? null, feeInFiat?.toString() ?? null, now],
      tx,
    );
    return changed.length > 0;
  }

  /** @param subject the transaction id in the event: that of a superseded transaction, or by default `id`. */
  private async recordEvent(tx: EntityManager, type: EventType, id: string, subject = id): Promise<void> {
    const [transaction] = await this.db.readEntities(BY_ID, [id], tx);
    await this.recordEventOf(tx, type, transaction, subject);
  }

  private async recordEventOf(
    tx: EntityManager,
    type: EventType,
    transaction: Transaction | undefined,
    subject = transaction?.id,
  ): Promise<void> {
    if (transaction === undefined || subject === undefined) throw new Error('the transaction does not exist');
    await this.events.record(tx, [{ ...toTransactionEvent(type, transaction), subject }]);
  }
}
