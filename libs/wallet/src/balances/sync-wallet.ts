import { Inject, Injectable } from '@nestjs/common';
import { ExchangeError, type ExchangeErrorKind } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database } from '#platform/database';
import { logFailedWork } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { BalanceStore, type ReportedBalances } from './balance-store.js';
import { WalletBalances } from './wallet-balances.service.js';
import type { WalletTarget } from '../credentials/wallet-credentials.service.js';
import { WalletNotFound } from '../wallets/wallet.errors.js';
import { ExchangePauses, isAnswer } from '../failures/exchange-pauses.js';
import { nextSyncAfterFailure, nextSyncAfterSkip } from './sync-schedule.js';
import { WalletSyncMetrics } from './wallet-sync.metrics.js';

/** The right of this process to refresh some wallets until `end`. */
export interface WalletLease {
  /**
   * The end of the lease, which is stored as the due time of the wallets (`next_sync_at`). When a wallet has another
   * due time, it was refreshed, connected or pinged after this process took it.
   */
  end: Date;
}

export interface LeasedWallet {
  walletId: string;
  lease: WalletLease;
  /** @throws WalletNotFound when the wallet was deleted. */
  target: () => Promise<WalletTarget>;
}

/** Balances that an exchange has reported for a taken wallet, and that are not stored yet. */
export interface UnstoredBalances extends ReportedBalances {
  leased: LeasedWallet;
}

/** Refreshes the balances of wallets in the background and schedules their next refresh. Repeated runs do no harm. */
@Injectable()
export class SyncWallet {
  constructor(
    private readonly db: Database,
    private readonly balances: WalletBalances,
    private readonly store: BalanceStore,
    private readonly pauses: ExchangePauses,
    private readonly metrics: WalletSyncMetrics,
    private readonly clock: Clock,
    private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Reads the balances of a wallet from its exchange. @returns null when there is nothing to store. */
  async ask(leased: LeasedWallet): Promise<UnstoredBalances | null> {
    try {
      const target = await leased.target();
      if (target.seen.nextSyncAt.getTime() !== leased.lease.end.getTime()) return null;
      if (this.pauses.admits(target)) return await this.askExchange(leased, target);
      await this.skip(leased, target);
      return null;
    } catch (error) {
      await this.failed(leased, error);
      return null;
    }
  }

  /**
   * Stores balances. All unchanged balances, which are most of them, share one statement.
   * @throws the first failure on our side, after the other balances were stored.
   */
  async storeAll(unstored: readonly UnstoredBalances[]): Promise<void> {
    const confirmed = await this.confirm(unstored);
    const failures: unknown[] = [];
    for (const each of unstored) {
      if (confirmed.has(each.target.walletId)) this.metrics.synced(each.target, 'unchanged');
      else await this.storeOne(each).catch((error: unknown) => failures.push(error));
    }
    const [first, ...others] = failures;
    for (const error of others) logFailedWork(this.logger, error, 'the balances of a wallet were not stored');
    if (failures.length > 0) throw first;
  }

  /**
   * Stores the unchanged balances in one statement, and returns the ids of their wallets. Returns no id when the
   * statement fails, because one wallet may be the cause; `storeAll` then stores each wallet alone.
   */
  private async confirm(unstored: readonly UnstoredBalances[]): Promise<Set<string>> {
    try {
      return await this.store.confirm(unstored);
    } catch (error) {
      logFailedWork(
        this.logger,
        error,
        'unchanged balances could not be stored in one statement; they are stored wallet by wallet',
      );
      return new Set();
    }
  }

  private async storeOne(unstored: UnstoredBalances): Promise<void> {
    try {
      const isChanged = await this.store.recordUnconfirmed(unstored);
      this.metrics.synced(unstored.target, isChanged ? 'changed' : 'unchanged');
    } catch (error) {
      await this.failed(unstored.leased, error);
    }
  }

  /** Handles a failure on our side. @throws `error` again, unless the wallet was deleted after it was leased. */
  private async failed(leased: LeasedWallet, error: unknown): Promise<void> {
    if (error instanceof WalletNotFound) return;
    await this.backOff(leased, this.periodMs);
    throw error;
  }

  private async askExchange(leased: LeasedWallet, target: WalletTarget): Promise<UnstoredBalances | null> {
    try {
      const reported = await this.balances.ask(target, { autoDelete: false, keepSession: false });
      this.pauses.answered(target);
      return { ...reported, leased };
    } catch (error) {
      const failure = exchangeErrorBehind(error);
      if (failure === null) throw error;
      this.pauses.failed(target, failure);
      this.metrics.synced(target, failure.kind);
      this.logger.debug({ err: error, wallet: target.walletId }, 'a wallet was not refreshed');
      await this.backOff(leased, isAnswer(failure) ? this.periodMs : this.firstPauseMs);
      return null;
    }
  }

  private async skip({ walletId, lease }: LeasedWallet, target: WalletTarget): Promise<void> {
    this.metrics.synced(target, 'paused');
    const probeMs = this.config.constants.WALLET_SYNC_PAUSE_SECONDS * 1_000;
    const nextSyncAt = nextSyncAfterSkip({ walletId, now: this.clock.now(), periodMs: this.periodMs }, probeMs);
    await this.db.query(`update wallets set next_sync_at = $2 where id = $1 and next_sync_at = $3`, [
      walletId,
      nextSyncAt,
      lease.end,
    ]);
  }

  /** Postpones the wallet, unless it was refreshed, connected or pinged since it was taken. */
  private async backOff({ walletId, lease }: LeasedWallet, firstPauseMs: number): Promise<void> {
    const [row] = await this.db.query<{ failures: number }>(
      `select sync_failures as failures from wallets where id = $1 and next_sync_at = $2`,
      [walletId, lease.end],
    );
    if (row === undefined) return;
    const nextSyncAt = nextSyncAfterFailure({
      walletId,
      now: this.clock.now(),
      failures: row.failures,
      firstPauseMs,
      longestPauseMs: this.config.constants.WALLET_SYNC_BACKOFF_MAX_SECONDS * 1_000,
    });
    await this.db.query(
      `update wallets set sync_failures = sync_failures + 1, next_sync_at = $3
        where id = $1 and sync_failures = $2 and next_sync_at = $4`,
      [walletId, row.failures, nextSyncAt, lease.end],
    );
  }

  private get periodMs(): number {
    return this.config.values.WALLET_SYNC_SECONDS * 1_000;
  }

  private get firstPauseMs(): number {
    return Math.min(this.config.constants.WALLET_SYNC_BACKOFF_SECONDS * 1_000, this.periodMs);
  }
}

/** Returns the exchange's error that caused `error`; null = a failure on our side. */
function exchangeErrorBehind(error: unknown): { kind: ExchangeErrorKind; reason?: string } | null {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof ExchangeError ? cause : null;
}
