import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ListedWithdrawal } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database, toStorableJson } from '#platform/database';
import { Wallets } from '#wallet';

/** Maximum number of wallets that one sweep enqueues. */
const SWEEP_BATCH = 100;

/** A wallet that has not been compared with its exchange since the database was restored. */
export interface EpochCheck {
  walletId: string;
  epoch: string;
  /** When a worker first detected the restored database. */
  firstSeenAt: Date;
  checkCount: number;
  projectId: string;
  externalWalletId: string;
  exchange: string;
}

/** The comparisons of wallets with their exchanges after a restore of the database. */
@Injectable()
export class EpochChecks {
  constructor(
    private readonly db: Database,
    private readonly wallets: Wallets,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Takes wallets that are due for a comparison. No other worker gets them before their lease ends. */
  async takeDue(now: Date): Promise<string[]> {
    const rows = await this.db.query<{ wallet_id: string }>(
      `update epoch_checks set next_check_at = $2, check_count = check_count + 1
       where wallet_id in (
         select c.wallet_id from epoch_checks c join wallets w on w.id = c.wallet_id
         where c.checked_at is null and c.next_check_at <= $1 and w.deleted_at is null
           and not exists (select from stopped_wallets s where s.wallet_id = c.wallet_id)
         order by c.next_check_at limit $3 for update of c skip locked)
       returning wallet_id`,
      [now, new Date(now.getTime() + this.config.constants.QUEUE_LEASE_MS), SWEEP_BATCH],
    );
    return rows.map((row) => row.wallet_id);
  }

  async find(walletId: string): Promise<EpochCheck | null> {
    const [found] = await this.db.query<EpochCheck>(
      `select c.wallet_id as "walletId", c.epoch, e.first_seen_at as "firstSeenAt", c.check_count as "checkCount",
         w.project_id as "projectId", w.external_id as "externalWalletId", w.exchange
       from epoch_checks c join database_epochs e using (epoch) join wallets w on w.id = c.wallet_id
       where c.wallet_id = $1 and c.checked_at is null`,
      [walletId],
    );
    return found ?? null;
  }

  /** Whether the wallet has withdrawals that may still be linked to a record of the exchange. */
  async hasUndecided(walletId: string): Promise<boolean> {
    const rows = await this.db.query(
      `select from withdrawals
       where wallet_id = $1 and state in ('created', 'verification_required', 'submitting', 'unknown') limit 1`,
      [walletId],
    );
    return rows.length > 0;
  }

  async postpone({ walletId, epoch }: EpochCheck, until: Date): Promise<void> {
    await this.db.query(
      `update epoch_checks set next_check_at = $3 where wallet_id = $1 and epoch = $2 and checked_at is null`,
      [walletId, epoch, until],
    );
  }

  /**
   * Ends the comparison: stores the records that belong to no withdrawal of the wallet, and lets the wallet withdraw
   * again. A record that is linked to a withdrawal of another wallet is stored, because it may have the id of a lost
   * withdrawal of this one; see `Candidates`. A deleted wallet with the same externalWalletId counts as this wallet.
   * @returns the number of unmatched records; null when another process has already stored its comparison.
   */
  close(check: EpochCheck, records: ListedWithdrawal[]): Promise<number | null> {
    const { walletId, epoch } = check;
    return this.db.transaction(async (tx) => {
      await this.wallets.lock(tx, walletId);
      const closed = await this.db.query(
        `update epoch_checks set checked_at = $3
         where wallet_id = $1 and epoch = $2 and checked_at is null returning wallet_id`,
        [walletId, epoch, this.clock.now()],
        tx,
      );
      return closed.length === 0 ? null : this.keepUnmatched(tx, check, records);
    });
  }

  private async keepUnmatched(tx: EntityManager, check: EpochCheck, records: ListedWithdrawal[]): Promise<number> {
    const { projectId, walletId, externalWalletId, exchange } = check;
    const rows = records.map((record) => ({
      id: this.clock.newId(),
      exchange_id: record.exchangeId,
      client_ref: record.clientRef,
      asset: record.asset,
      address: record.address,
      amount_no_fee: record.amountNoFee.toString(),
      fee: record.fee?.toString() ?? null,
      status: record.status,
      occurred_at: record.at,
    }));
    const kept = await this.db.query(
      `insert into unmatched_records (id, project_id, wallet_id, external_wallet_id, exchange, exchange_id, client_ref, asset,
         address, amount_no_fee, fee, status, occurred_at, found_at)
       select r.id, $2, $3, $4, $5, r.exchange_id, r.client_ref, r.asset, r.address, r.amount_no_fee, r.fee, r.status,
         r.occurred_at, $6
       from jsonb_to_recordset($1) as r(id uuid, exchange_id text, client_ref text, asset text, address text,
         amount_no_fee numeric, fee numeric, status text, occurred_at timestamptz)
       where not exists (select from withdrawals w join wallets own on own.id = w.wallet_id
         where own.project_id = $2 and own.external_id = $4 and w.exchange = $5 and w.exchange_id = r.exchange_id
           and w.mode = (select p.mode from projects p where p.id = $2))
       on conflict do nothing returning id`,
      [toStorableJson(rows), projectId, walletId, externalWalletId, exchange, this.clock.now()],
      tx,
    );
    return kept.length;
  }
}
