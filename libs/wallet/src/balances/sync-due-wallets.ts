import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database } from '#platform/database';
import { logFailedWork } from '#platform/errors';
import { Shutdown } from '#platform/lifecycle';
import { LOGGER, type Logger } from '#platform/logging';
import { rowsPerJob } from '#platform/queue';
import { WalletCredentials, type TakenWallet, type WalletTarget } from '../credentials/wallet-credentials.service.js';
import { SyncWallet, type LeasedWallet, type UnstoredBalances, type WalletLease } from './sync-wallet.js';
import { SyncWalletsJob } from './sync.jobs.js';

/**
 * During the first part of its lease, a job uses the credentials that it read when it took the wallets. After this
 * fraction of the lease, it reads the credentials of each wallet again. The fraction ends before the first renewal of
 * the lease, because `SyncWallet.ask` compares the end of the lease with the due time that was read with the
 * credentials.
 */
const FRESH_PART = 1 / 4;
/**
 * How long reported balances may wait before they are stored. Waiting lets one statement store the unchanged balances
 * of several wallets.
 */
const UNSTORED_MAX_MS = 1_000;

/** The wallets that a job has taken. */
interface TakenWallets {
  readonly lease: Readonly<WalletLease>;
  /** The wallet that is being refreshed. It has a lease of its own, because only this lease is renewed. */
  current: LeasedWallet | null;
  /** The wallets that the job has not begun. */
  readonly waiting: TakenWallet[];
  /** Balances that the exchanges have reported, and that are not stored yet. */
  readonly unstored: UnstoredBalances[];
}

/**
 * Takes some wallets that are due, the longest overdue first, and refreshes them one after the other. A taken wallet is
 * not due again until its lease ends, so that workers share the work. Repeated runs do no harm.
 */
@Injectable()
export class SyncDueWallets {
  constructor(
    private readonly db: Database,
    private readonly credentials: WalletCredentials,
    private readonly syncWallet: SyncWallet,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly shutdown: Shutdown,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @throws the first failure on our side. The job then ends, and the wallets that it has not begun become due. */
  async execute(): Promise<void> {
    const lease = { end: this.newEnd() };
    const most = rowsPerJob(SyncWalletsJob, this.config);
    const waiting = await this.credentials.takeDue(this.clock.now(), lease.end, most);
    const taken: TakenWallets = { lease, current: null, waiting, unstored: [] };
    const ended = new AbortController();
    const keeping = this.keep(taken, ended.signal);
    const end = async (): Promise<void> => {
      ended.abort();
      await keeping;
      try {
        await this.store(taken);
      } finally {
        await this.giveBack(taken);
      }
    };
    try {
      await this.refresh(taken);
    } catch (error) {
      await end().catch((later: unknown) =>
        logFailedWork(
          this.logger,
          later,
          'the remaining wallets of a failed job were not released; they are due again when their lease ends',
        ),
      );
      throw error;
    }
    await end();
  }

  private async refresh(taken: TakenWallets): Promise<void> {
    const { lease, waiting, unstored } = taken;
    const freshUntil = this.clock.monotonicMs() + this.config.constants.QUEUE_LEASE_MS * FRESH_PART;
    while (!this.shutdown.hasBegun) {
      const next = waiting.shift();
      if (next === undefined) return;
      const { walletId, open } = next;
      const again = (): Promise<WalletTarget> => this.credentials.target(walletId, { deletedToo: false });
      const target = this.clock.monotonicMs() < freshUntil ? open : again;
      taken.current = { walletId, lease: { ...lease }, target };
      const reported = await this.syncWallet.ask(taken.current);
      if (reported !== null) unstored.push(reported);
      const ageMs = this.clock.now().getTime() - (unstored[0]?.askedAt.getTime() ?? Infinity);
      if (ageMs >= UNSTORED_MAX_MS) await this.store(taken);
    }
  }

  private async store({ unstored }: TakenWallets): Promise<void> {
    await this.syncWallet.storeAll(unstored.splice(0));
  }

  /**
   * Renews the lease of the current wallet every QUEUE_LEASE_MS / 2, until `ended`. Each time, it also makes the
   * waiting wallets due again and stores the reported balances, so that they do not wait for a slow exchange.
   */
  private async keep(taken: TakenWallets, ended: AbortSignal): Promise<void> {
    for (;;) {
      await this.clock.sleep(this.config.constants.QUEUE_LEASE_MS / 2, ended);
      if (ended.aborted) return;
      try {
        await this.giveBack(taken);
        if (taken.current !== null) await this.renew(taken.current);
        await this.store(taken);
      } catch (error) {
        // When the lease ends, another worker refreshes the same wallets, which does no harm.
        logFailedWork(
          this.logger,
          error,
          'a job could not renew its lease of wallets or store their balances; another worker may refresh these wallets',
        );
      }
    }
  }

  private async renew({ walletId, lease }: LeasedWallet): Promise<void> {
    const end = this.newEnd();
    await this.moveDue([walletId], lease.end, end);
    lease.end = end;
  }

  private async giveBack({ waiting, lease }: TakenWallets): Promise<void> {
    const ids = waiting.splice(0).map(({ walletId }) => walletId);
    if (ids.length > 0) await this.moveDue(ids, lease.end, this.clock.now());
  }

  private async moveDue(ids: string[], from: Date, to: Date): Promise<void> {
    await this.db.query(`update wallets set next_sync_at = $3 where id = any($1) and next_sync_at = $2`, [
      ids,
      from,
      to,
    ]);
  }

  private newEnd(): Date {
    return new Date(this.clock.now().getTime() + this.config.constants.QUEUE_LEASE_MS);
  }
}
