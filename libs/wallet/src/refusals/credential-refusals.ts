import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database, DatabaseClock, DatabaseTooSlow, HostClockDiffers } from '#platform/database';
import type { WalletTarget } from '../credentials/wallet-credentials.service.js';
import { NO_REFUSALS, type RefusalSeries, type RefusalTimes } from './refusal-rules.js';

/** A row of `credential_refusals`. */
export interface StoredRefusals extends RefusalSeries {
  walletId: string;
  /** `SealedCredentials.id` of the credentials that were refused. */
  version: string;
}

/**
 * Refusals from before a restore of the database do not count, because the restored database may lack a later
 * successful call.
 */
const IF_COUNTED = 'case when refused_since > database_restored_at() then';
const COLUMNS = `wallet_id as "walletId", version, ${IF_COUNTED} refused_since end as "refusedSince",
  ${IF_COUNTED} last_refused_at end as "lastRefusedAt", ${IF_COUNTED} refusals else 0 end as refusals,
  checks, deletion_wanted as "isDeletionWanted", next_check_at as "nextCheckAt"`;

/**
 * The table `credential_refusals`. A trigger deletes the row of a wallet when the flag is cleared or the wallet is
 * deleted.
 */
@Injectable()
export class CredentialRefusals {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly databaseClock: DatabaseClock,
    private readonly config: Config,
  ) {}

  async find(walletId: string): Promise<StoredRefusals | null> {
    const [row] = await this.db.query<StoredRefusals>(
      `select ${COLUMNS} from credential_refusals where wallet_id = $1`,
      [walletId],
    );
    return row ?? null;
  }

  /** Returns what `find` returns, and locks the row until `tx` ends. `tx` has locked the wallet before. */
  async findLocked(tx: EntityManager, walletId: string): Promise<StoredRefusals | null> {
    const [row] = await this.db.query<StoredRefusals>(
      `select ${COLUMNS} from credential_refusals where wallet_id = $1 for update`,
      [walletId],
      tx,
    );
    return row ?? null;
  }

  /** Stores the refusals of a flagged wallet in place of its earlier ones. `tx` has locked the wallet. */
  async put(tx: EntityManager, refusals: StoredRefusals): Promise<void> {
    await this.db.query(
      `insert into credential_refusals (wallet_id, version, refused_since, last_refused_at, refusals, checks,
                                        deletion_wanted, next_check_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8)
       on conflict (wallet_id) do update
       set version = excluded.version, refused_since = excluded.refused_since,
           last_refused_at = excluded.last_refused_at, refusals = excluded.refusals, checks = excluded.checks,
           deletion_wanted = excluded.deletion_wanted, next_check_at = excluded.next_check_at`,
      [
        ...[refusals.walletId, refusals.version, refusals.refusedSince, refusals.lastRefusedAt],
        ...[refusals.refusals, refusals.checks, refusals.isDeletionWanted, refusals.nextCheckAt],
      ],
      tx,
    );
  }

  /** Sets the time of the next check. Does nothing when another worker has checked since the caller read the row. */
  async postpone(
    { walletId, version, checks: before }: StoredRefusals,
    { checks, nextCheckAt }: Pick<RefusalSeries, 'checks' | 'nextCheckAt'>,
  ): Promise<void> {
    await this.db.query(
      `update credential_refusals set checks = $4, next_check_at = $5
        where wallet_id = $1 and version = $2 and checks = $3`,
      [walletId, version, before, checks, nextCheckAt],
    );
  }

  /**
   * Resets the count of refusals after a successful call with these credentials, and makes the next check due at once.
   * That check decides whether to clear the flag of the wallet.
   */
  async endSeries({ walletId, version }: Pick<WalletTarget, 'walletId' | 'version'>): Promise<void> {
    const { refusedSince, lastRefusedAt, refusals } = NO_REFUSALS;
    await this.db.query(
      `update credential_refusals
          set refused_since = $3, last_refused_at = $4, refusals = $5, next_check_at = least(next_check_at, $6)
        where wallet_id = $1 and version = $2 and refused_since is not null`,
      [walletId, version, refusedSince, lastRefusedAt, refusals, this.clock.now()],
    );
  }

  async remove({ walletId, version }: StoredRefusals): Promise<void> {
    await this.db.query(`delete from credential_refusals where wallet_id = $1 and version = $2`, [walletId, version]);
  }

  /** Takes wallets that are due, the longest overdue first. A taken wallet is not due again for one lease. */
  takeDue(limit: number): Promise<{ walletId: string }[]> {
    const now = this.clock.now();
    return this.db.query(
      `update credential_refusals set next_check_at = $2
        where wallet_id in (select wallet_id from credential_refusals r where next_check_at <= $1
                               and not exists (select from stopped_wallets s where s.wallet_id = r.wallet_id)
                             order by next_check_at limit $3 for no key update skip locked)
       returning wallet_id as "walletId"`,
      [now, new Date(now.getTime() + this.config.constants.QUEUE_LEASE_MS), limit],
    );
  }

  /**
   * Returns the time by the clock of the database, because refusals that several hosts have seen are compared.
   * @returns null when this host's clock differs from the database's, or when the time cannot be read precisely enough;
   *   then the refusal does not count.
   */
  async now(): Promise<Date | null> {
    try {
      return (await this.databaseClock.read()).now();
    } catch (error) {
      if (error instanceof HostClockDiffers || error instanceof DatabaseTooSlow) return null;
      throw error;
    }
  }

  /**
   * Returns the present time and the settings from which the times of the next check and of the deletion follow.
   * @param now the time of this host by default.
   */
  times(now = this.clock.now()): RefusalTimes {
    const { values, constants } = this.config;
    return {
      now,
      deleteAfterMs: values.WALLET_DELETE_AFTER,
      longestPauseMs: constants.WALLET_SYNC_BACKOFF_MAX_SECONDS * 1_000,
    };
  }
}
