import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { HistoryKind, HistoryRecord, ProjectMode } from '#exchange';
import { Amount } from '#money';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database } from '#platform/database';
import { Wallets, type SyncProgress } from '#wallet';
import type { HistorySync } from './history-sync.js';
import { progressOf, type KindProgress } from './sync-progress.js';

/** Maximum number of histories in the queue, and of wallets that one sweep adds to `transaction_syncs`. */
export const SYNC_BATCH = 200;

const kinds: readonly HistoryKind[] = ['deposit', 'withdrawal'];

/** The wallet whose history is read. */
export interface SyncedWallet {
  id: string;
  projectId: string;
  /** The caller's own id of the wallet. */
  externalWalletId: string;
  exchange: string;
  /** Whether the wallet's account is at the sandbox exchange (`test`) or at a real exchange (`live`). */
  mode: ProjectMode;
  isDeleted: boolean;
  /** The exchange has answered that the credentials are invalid. */
  isInvalid: boolean;
}

/** The work of one job. */
export interface SyncTask {
  wallet: SyncedWallet;
  sync: HistorySync;
}

/** The payload of a job. */
export interface SyncId {
  walletId: string;
  kind: HistoryKind;
}

/** A withdrawal of ours whose id at the exchange is not known yet. */
export interface AwaitedId {
  asset: string;
  since: Date;
}

export interface KnownRecord {
  amount: Amount;
  fee: Amount | null;
  /** Whether the fiat value of the record is known. */
  isValued: boolean;
}

/** The records that have a row, by their id at the exchange (`exchangeId`). */
export type KnownRecords = ReadonlyMap<string, KnownRecord>;

interface Row extends Omit<SyncedWallet, 'id'>, Omit<HistorySync, 'records'> {
  records: string;
}

/** The table `transaction_syncs`: how far each history has been read, and when it is due. */
@Injectable()
export class SyncStore {
  constructor(
    private readonly db: Database,
    private readonly wallets: Wallets,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * Inserts rows into `transaction_syncs` for new wallets. For a wallet whose credentials were replaced, resets the
   * rows, so that its histories are read from the beginning again. `events_since` has no fraction of a second, because
   * most exchanges report times in whole seconds: a deposit just after the connect would look older than the connect.
   * @returns the number of new wallets and wallets with replaced credentials
   */
  async adopt(): Promise<number> {
    const now = this.clock.now();
    return this.db.transaction(async (tx) => {
      const adopted = await this.wallets.takeUntracked(tx, SYNC_BATCH);
      if (adopted.length === 0) return 0;
      await this.db.query(
        `insert into transaction_syncs as s (wallet_id, kind, events_since, next_sync_at, updated_at)
         select wallet_id, kind, date_trunc('second', events_since), $4, $4
           from unnest($1::uuid[], $2::timestamptz[]) as w (wallet_id, events_since), unnest($3::text[]) as kind
         on conflict (wallet_id, kind) do update set
           events_since = date_trunc('second', coalesce(s.complete_until, s.events_since)), complete_until = null,
           window_since = null, window_until = null, cursor = null, complete_since = null, ahead_until = null,
           unlisted_at = null, reached_at = null, deferred_from = null,
           records = 0, failures = 0, step = s.step + 1, next_sync_at = $4, updated_at = $4`,
        [adopted.map(({ id }) => id), adopted.map(({ createdAt }) => createdAt), kinds, now],
        tx,
      );
      return adopted.length;
    });
  }

  /**
   * Takes rows that are due. A taken row is not due again for one lease. Takes rows of deleted wallets also in stopped
   * projects, because their jobs only remove them.
   */
  takeDue(limit: number): Promise<SyncId[]> {
    const now = this.clock.now();
    return this.db.query(
      `update transaction_syncs s set next_sync_at = $2
         from (select wallet_id, kind from transaction_syncs t where next_sync_at <= $1
                  and not exists (select from stopped_wallets s join wallets w on w.id = s.wallet_id
                                   where s.wallet_id = t.wallet_id and w.deleted_at is null)
                order by next_sync_at limit $3 for update skip locked) due
        where s.wallet_id = due.wallet_id and s.kind = due.kind
        returning s.wallet_id as "walletId", s.kind`,
      [now, this.leaseEnd(), limit],
    );
  }

  /** Returns the wallet and the progress for a job; null = the row in `transaction_syncs` was removed. */
  async find({ walletId, kind }: SyncId): Promise<SyncTask | null> {
    const [row] = await this.db.query<Row>(
      `select s.wallet_id as "walletId", s.kind, s.complete_until as "completeUntil", s.events_since as "eventsSince",
         s.window_since as "windowSince", s.window_until as "windowUntil", s.cursor,
         s.complete_since as "completeSince", s.ahead_until as "aheadUntil", s.unlisted_at as "unlistedAt", s.reached_at as "reachedAt",
         s.deferred_from as "deferredFrom", s.records, s.failures, s.step, w.project_id as "projectId",
         w.external_id as "externalWalletId", w.exchange, p.mode, w.deleted_at is not null as "isDeleted", w.invalid_api as "isInvalid"
       from transaction_syncs s join wallets w on w.id = s.wallet_id join projects p on p.id = w.project_id
       where s.wallet_id = $1 and s.kind = $2`,
      [walletId, kind],
    );
    if (row === undefined) return null;
    const { projectId, externalWalletId, exchange, mode, isDeleted, isInvalid, records, ...sync } = row;
    return {
      wallet: { id: walletId, projectId, externalWalletId, exchange, mode, isDeleted, isInvalid },
      sync: { ...sync, records: Number(records) },
    };
  }

  /** Returns the time of the oldest pending record within TRANSACTION_PENDING_DAYS. */
  async oldestPending({ walletId, kind }: SyncId): Promise<Date | null> {
    const days = this.config.constants.TRANSACTION_PENDING_DAYS;
    const [row] = await this.db.query<{ at: Date | null }>(
      `select min(occurred_at) as at from transactions
       where wallet_id = $1 and type = $2 and status = 'pending' and origin = 'exchange' and superseded_by is null
         and occurred_at > $3`,
      [walletId, kind, new Date(this.clock.now().getTime() - days * 86_400_000)],
    );
    return row?.at ?? null;
  }

  /** Returns the stored facts of the given records of one kind; a record without a row is missing from the result. */
  async knownRecords(
    wallet: SyncedWallet,
    kind: HistoryKind,
    records: readonly HistoryRecord[],
  ): Promise<KnownRecords> {
    const rows = await this.db.query<{ id: string; amount: string; fee: string | null; isValued: boolean }>(
      `select exchange_transaction_id as id, amount, fee,
         amount_in_fiat is not null and (fee is null or fee_in_fiat is not null) as "isValued"
       from transactions
       where project_id = $1 and external_wallet_id = $2 and exchange = $3 and exchange_transaction_id = any($4)
         and type = $5`,
      [wallet.projectId, wallet.externalWalletId, wallet.exchange, records.map(({ exchangeId }) => exchangeId), kind],
    );
    return new Map(
      rows.map(({ id, amount, fee, isValued }) => [
        id,
        { amount: Amount.of(amount), fee: fee === null ? null : Amount.of(fee), isValued },
      ]),
    );
  }

  /** Returns the wallet's withdrawals whose id at the exchange is not known yet. */
  awaitedIds(tx: EntityManager, wallet: SyncedWallet): Promise<AwaitedId[]> {
    return this.db.query(
      `select asset, occurred_at as since from transactions
       where project_id = $1 and external_wallet_id = $2 and exchange = $3 and status = 'pending' and origin = 'execution'
         and exchange_transaction_id is null`,
      [wallet.projectId, wallet.externalWalletId, wallet.exchange],
      tx,
    );
  }

  /**
   * Stores the progress, in the transaction that stores the records.
   * @returns null when another job has stored progress since; then this job must not store its page.
   */
  async move(from: HistorySync, to: HistorySync, nextSyncAt: Date, tx?: EntityManager): Promise<HistorySync | null> {
    const [row] = await this.db.query<{ step: string }>(
      `update transaction_syncs set complete_until = $4, window_since = $5, window_until = $6, cursor = $7,
         reached_at = $8, deferred_from = $9, records = $10, failures = $11, next_sync_at = $12, updated_at = $13,
         complete_since = $14, ahead_until = $15, unlisted_at = $16, step = step + 1
       where wallet_id = $1 and kind = $2 and step = $3 returning step`,
      [
        ...[from.walletId, from.kind, from.step],
        ...[to.completeUntil, to.windowSince, to.windowUntil, to.cursor, to.reachedAt, to.deferredFrom],
        ...[to.records, to.failures, nextSyncAt, this.clock.now()],
        ...[to.completeSince, to.aheadUntil, to.unlistedAt],
      ],
      tx,
    );
    return row === undefined ? null : { ...to, step: row.step };
  }

  /**
   * Stores how far the first reading of deposits and withdrawals has come. The caller has locked the wallet in `tx`.
   */
  async recordProgress(tx: EntityManager, walletId: string, begins: Date): Promise<void> {
    const parts = await this.db.query<KindProgress>(
      `select complete_until as "completeUntil", window_since as "windowSince", window_until as "windowUntil",
         complete_since as "completeSince", reached_at as "reachedAt", unlisted_at as "unlistedAt",
         records::float8 as records
       from transaction_syncs where wallet_id = $1`,
      [walletId],
      tx,
    );
    const [row] = await this.db.query<{ before: SyncProgress | null }>(
      `select sync_progress as before from wallets where id = $1`,
      [walletId],
      tx,
    );
    await this.wallets.recordSyncProgress(tx, walletId, progressOf(parts, { before: row?.before ?? null, begins }));
  }

  /** Postpones the row, unless another job has changed it. */
  async postpone({ walletId, kind, step, failures }: HistorySync, nextSyncAt: Date): Promise<void> {
    await this.db.query(
      `update transaction_syncs set next_sync_at = $4, failures = $5, updated_at = $6
       where wallet_id = $1 and kind = $2 and step = $3`,
      [walletId, kind, step, nextSyncAt, failures, this.clock.now()],
    );
  }

  async remove({ walletId, kind }: SyncId): Promise<void> {
    await this.db.query(`delete from transaction_syncs where wallet_id = $1 and kind = $2`, [walletId, kind]);
  }

  /** Counts the rows that became due before `moment`. */
  async countOverdue(moment: Date): Promise<number> {
    const [row] = await this.db.query<{ count: string }>(
      `select count(*) from transaction_syncs t where next_sync_at < $1
          and not exists (select from stopped_wallets s where s.wallet_id = t.wallet_id)`,
      [moment],
    );
    return Number(row?.count);
  }

  /** Counts the histories of each exchange whose first reading has not ended. */
  countFirstReadings(): Promise<{ exchange: string; count: number }[]> {
    return this.db.query(
      `select w.exchange, count(*)::float8 as count from transaction_syncs t join wallets w on w.id = t.wallet_id
       where t.complete_until is null and w.deleted_at is null group by w.exchange`,
    );
  }

  /** Returns the end of a lease that begins now. After it, the sweep takes the row again. */
  leaseEnd(): Date {
    return new Date(this.clock.now().getTime() + this.config.constants.QUEUE_LEASE_MS);
  }
}
