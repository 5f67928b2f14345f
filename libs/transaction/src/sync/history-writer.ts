import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { Events, type EventType } from '#platform/events';
import { LOGGER, type Logger } from '#platform/logging';
import { toTransactionEvent } from '../history/transaction.event.js';
import { Transaction } from '../history/transaction.entity.js';
import { differences, isContradiction, merge, toTransaction, type PricedRecord } from './merge-record.js';
import type { SyncedWallet } from './sync-store.js';
import { INSERT_ROWS, UPDATE_ROWS } from './transaction-rows.js';

interface Change {
  row: Transaction;
  wasOpen: boolean;
  isVisible: boolean;
}

/** Stores records of an exchange in the history, each as one row. */
@Injectable()
export class HistoryWriter {
  constructor(
    private readonly db: Database,
    private readonly events: Events,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Inserts or updates the rows of the given records. Repeating the call changes nothing. Changed rows raise events,
   * and so do new rows for which `raisesEvent` returns true. The caller must have locked the wallet in `tx`.
   * @returns how many records are new.
   */
  async write(
    tx: EntityManager,
    wallet: SyncedWallet,
    given: readonly PricedRecord[],
    raisesEvent: (transaction: Transaction) => boolean,
  ): Promise<number> {
    const records = new Map(given.map((priced) => [keyOf(priced.record.kind, priced.record.exchangeId), priced]));
    const rows = await this.lockRows(
      tx,
      wallet,
      given.map(({ record }) => record.exchangeId),
    );
    const changes = rows.flatMap((row) => this.changeOf(row, records, wallet));
    await this.update(tx, changes);
    const created = await this.insert(tx, [...records.values()], rows, wallet);
    await this.recordEvents(tx, 'transaction.created', created.filter(raisesEvent));
    // A change of a pending row always raises an event, even if the record is from before the wallet was connected. A
    // change of a settled row raises one only if `raisesEvent` returns true.
    const visible = changes.flatMap(({ row, isVisible, wasOpen }) =>
      isVisible && (wasOpen || raisesEvent(row)) ? [row] : [],
    );
    await this.recordEvents(tx, 'transaction.updated', visible);
    return created.length;
  }

  private lockRows(tx: EntityManager, wallet: SyncedWallet, exchangeIds: string[]): Promise<Transaction[]> {
    return tx
      .createQueryBuilder(Transaction, 't')
      .where('t.project_id = :projectId and t.external_wallet_id = :externalWalletId and t.exchange = :exchange', {
        ...wallet,
      })
      .andWhere('t.exchange_transaction_id = any(:exchangeIds)', { exchangeIds })
      .setLock('for_no_key_update')
      .getMany();
  }

  private changeOf(row: Transaction, records: Map<string, PricedRecord>, wallet: SyncedWallet): Change[] {
    const priced = records.get(keyOf(row.type, row.exchangeTransactionId));
    if (priced === undefined) return [];
    const wasOpen = row.status === 'pending';
    const next = merge(row, priced, wallet);
    const { isChanged, isVisible } = differences(row, next);
    if (!isChanged) return [];
    if (isContradiction(row, priced.record)) {
      const { id: transactionId, status } = row;
      this.logger.error(
        { transactionId, status, reported: priced.record.rawStatus },
        'the exchange reports another final status of a settled transaction; the stored status does not change',
      );
    }
    return [{ row: Object.assign(row, next, { updatedAt: this.clock.now() }), isVisible, wasOpen }];
  }

  private async update(tx: EntityManager, changes: readonly Change[]): Promise<void> {
    if (changes.length === 0) return;
    await this.db.query(UPDATE_ROWS, [JSON.stringify(changes.map(({ row }) => row))], tx);
  }

  private async insert(
    tx: EntityManager,
    records: readonly PricedRecord[],
    rows: readonly Transaction[],
    wallet: SyncedWallet,
  ): Promise<Transaction[]> {
    const known = new Set(rows.map(({ type, exchangeTransactionId }) => keyOf(type, exchangeTransactionId)));
    const now = this.clock.now();
    const fresh = records
      .filter(({ record }) => !known.has(keyOf(record.kind, record.exchangeId)))
      .map((priced) => toTransaction(priced, wallet, { id: this.clock.newId(), now }));
    if (fresh.length === 0) return [];
    const written = await this.db.query<{ id: string }>(INSERT_ROWS, [JSON.stringify(fresh)], tx);
    const inserted = new Set(written.map(({ id }) => id));
    return fresh.filter(({ id }) => inserted.has(id));
  }

  private recordEvents(tx: EntityManager, type: EventType, transactions: readonly Transaction[]): Promise<void> {
    return this.events.record(
      tx,
      transactions.map((transaction) => toTransactionEvent(type, transaction)),
    );
  }
}

/** Identifies a record. Some exchanges number deposits and withdrawals independently of each other. */
function keyOf(kind: string, exchangeId: string | null): string {
  return `${kind} ${exchangeId}`;
}
