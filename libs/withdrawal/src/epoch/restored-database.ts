import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { mayBeOneAccount } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database, DatabaseClock, type NamedStatement } from '#platform/database';
import { LOGGER, type Logger } from '#platform/logging';
import type { Wallet } from '#wallet';
import type { Quote } from '../quote/quote.entity.js';
import { DatabaseRestored, ExecutionMayBeLost, UnsettledRecord } from './epoch.errors.js';

const HOUR_MS = 3_600_000;
/**
 * Maximum number of wallets whose withdrawals one statement stops. This maximum bounds the duration of the statement.
 */
const WALLETS_BATCH = 5_000;

interface Admission {
  is_unseen: boolean;
  is_former: boolean;
  is_unchecked: boolean;
  /** The unsettled records with the quote's asset and one of its two amounts; null = none. */
  records: { id: string; address: string | null }[] | null;
}

const ADMISSION: NamedStatement = {
  name: 'admission of a quote',
  text: `select r.at = 'infinity' as is_unseen, $1::timestamptz <= r.at + $8::interval as is_former,
         exists (select from epoch_checks where wallet_id = $2 and checked_at is null)
           or (r.at > $7 and not exists (select from epoch_checks
                 where wallet_id = $2 and epoch = current_database_epoch())) as is_unchecked,
         (select json_agg(json_build_object('id', exchange_id, 'address', address)) from unmatched_records
           where project_id = $3 and external_wallet_id = $4 and asset = $5 and settled_at is null
             and (amount_no_fee = any($6::numeric[]) or amount_no_fee + fee = any($6::numeric[]))) as records
       from database_restored_at() r(at)`,
};

const MAY_LACK_EXECUTION: NamedStatement = {
  name: 'may lack an execution',
  text: `select $1::timestamptz <= r.at + $2::interval and $3::timestamptz > least(r.at, $4) - $5::interval as is_former
         from database_restored_at() r(at)`,
};

/**
 * Detects that the database was restored from a backup and so lacks all changes since that backup. A restored database
 * has another epoch (`current_database_epoch()`), and that epoch has no row in `database_epochs`.
 */
@Injectable()
export class RestoredDatabase {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly databaseClock: DatabaseClock,
    private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Checks that a quote may be executed, in the transaction that stores the intent.
   * @throws ExecutionMayBeLost for a quote from before the restore, because it may have been executed after the backup.
   * @throws DatabaseRestored until the wallet has been compared with its exchange.
   * @throws UnsettledRecord when the exchange shows an equal withdrawal that the database does not know.
   */
  async admit(tx: EntityManager, quote: Quote, { id, externalId: externalWalletId }: Wallet): Promise<void> {
    const { projectId, asset, address, amountNoFee, amountWithFee, createdAt } = quote;
    const values = [
      createdAt,
      id,
      projectId,
      externalWalletId,
      asset,
      [amountNoFee.toString(), amountWithFee.toString()],
      this.lookback(),
      this.skew(),
    ];
    const [found] = await this.db.read<Admission>(ADMISSION, values, tx);
    if (found === undefined || found.is_unseen) throw new DatabaseRestored();
    if (found.is_unchecked) throw new DatabaseRestored();
    if (found.is_former) throw new ExecutionMayBeLost();
    // A record without an address may be a payment to any address.
    const equal = found.records?.find((record) => record.address === null || mayBeOneAccount(record.address, address));
    if (equal !== undefined) throw new UnsettledRecord(equal.id);
  }

  /**
   * Whether a row created at `moment` may have changed after the backup, so that the restored database lacks the
   * change.
   */
  async isForgotten(moment: Date, tx?: EntityManager): Promise<boolean> {
    const [row] = await this.db.query<{ is_former: boolean }>(
      `select $1::timestamptz <= database_restored_at() + $2::interval as is_former`,
      [moment, this.skew()],
      tx,
    );
    return row?.is_former ?? true;
  }

  /**
   * Whether a quote without a recorded execution may have been executed after the backup, so that the restored database
   * lacks the execution. A quote that expired before the period of RESTORE_LOOKBACK_HOURS expired before the backup.
   */
  async mayLackExecution({ createdAt, expiresAt }: Quote, tx?: EntityManager): Promise<boolean> {
    const lookback = `${this.config.values.RESTORE_LOOKBACK_HOURS} hours`;
    const values = [createdAt, this.skew(), expiresAt, this.clock.now(), lookback];
    const [row] = await this.db.read<{ is_former: boolean }>(MAY_LACK_EXECUTION, values, tx);
    return row?.is_former ?? true;
  }

  /**
   * Detects a new epoch of the database. Then stops the withdrawals of all wallets and makes all open withdrawals due
   * for a check.
   */
  async detect(): Promise<void> {
    const [row] = await this.db.query<{ is_unseen: boolean; is_recent: boolean }>(
      `select r.at = 'infinity' as is_unseen, r.at > $1 as is_recent from database_restored_at() r(at)`,
      [this.lookback()],
    );
    const now = (await this.databaseClock.read()).now();
    if (row?.is_unseen !== true) return row?.is_recent === true ? this.stopNewWallets(now) : undefined;
    const wallets = await this.db.transaction((tx) => this.begin(tx, now));
    if (wallets === null) return;
    this.logger.error(
      { wallets },
      'the database was restored: no withdrawals until wallets are compared with exchanges',
    );
  }

  /** @returns the number of stopped wallets; null = another process is stopping them. */
  private async begin(tx: EntityManager, now: Date): Promise<number | null> {
    const [lock] = await this.db.query<{ is_mine: boolean }>(
      `select pg_try_advisory_xact_lock(hashtext('causeway.epoch')) as is_mine`,
      [],
      tx,
    );
    if (lock?.is_mine !== true) return null;
    const [seen] = await this.db.query<{ epoch: string }>(
      `insert into database_epochs (epoch, first_seen_at, is_original) values (current_database_epoch(), $1, false)
       on conflict do nothing returning epoch`,
      [now],
      tx,
    );
    if (seen === undefined) return null;
    await this.db.query(
      `update withdrawals set next_check_at = $1
       where next_check_at is not null and state in ('created', 'verification_required')`,
      [now],
      tx,
    );
    return this.stopWallets(tx, seen.epoch, now);
  }

  /**
   * Stops the withdrawals of wallets that were connected since the restore, because their exchange accounts may have
   * sent withdrawals that the restored database does not contain.
   */
  private async stopNewWallets(now: Date): Promise<void> {
    await this.db.query(
      `insert into epoch_checks (wallet_id, epoch, next_check_at)
       select w.id, current_database_epoch(), greatest($1, database_restored_at() + $2::interval) from wallets w
       where w.deleted_at is null and not exists (select from epoch_checks c
         where c.wallet_id = w.id and c.epoch = current_database_epoch())
       on conflict do nothing`,
      [now, `${this.settleMs()} milliseconds`],
    );
  }

  /**
   * Time after the restore in which a process may still send a submission stored before the restore, or in which the
   * exchange's history may not yet show that submission.
   */
  private settleMs(): number {
    const { constants } = this.config;
    return Math.max(constants.WITHDRAWAL_LEASE_MS, constants.WITHDRAWAL_ABSENCE_MS);
  }

  /** Tolerance for differing clocks: a row that is newer than the restore by at most this time counts as older. */
  private skew(): string {
    return `${this.config.constants.WITHDRAWAL_CLOCK_SKEW_MS} milliseconds`;
  }

  /**
   * Start of the period in which withdrawals are compared. It need not be earlier, because clients no longer wait for
   * the results of older withdrawals.
   */
  private lookback(): Date {
    return new Date(this.clock.now().getTime() - this.config.values.RESTORE_LOOKBACK_HOURS * HOUR_MS);
  }

  private async stopWallets(tx: EntityManager, epoch: string, now: Date): Promise<number> {
    const checkFrom = new Date(now.getTime() + this.settleMs());
    let stopped = 0;
    let last = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const batch = await this.db.query<{ id: string }>(
        `select id from wallets where id > $1 and deleted_at is null order by id limit $2`,
        [last, WALLETS_BATCH],
        tx,
      );
      const end = batch.at(-1);
      if (end === undefined) return stopped;
      await this.db.query(
        `insert into epoch_checks (wallet_id, epoch, next_check_at) select unnest($1::uuid[]), $2, $3
         on conflict (wallet_id) do update
           set epoch = excluded.epoch, next_check_at = excluded.next_check_at, check_count = 0, checked_at = null`,
        [batch.map(({ id }) => id), epoch, checkFrom],
        tx,
      );
      stopped += batch.length;
      last = end.id;
    }
  }
}
