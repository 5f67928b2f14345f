import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Exchanges } from '#exchange';
import { Config } from '#platform/config';
import { Database } from '#platform/database';
import { logFailedWork } from '#platform/errors';
import { PeriodicTasks } from '#platform/lifecycle';
import { LOGGER, type Logger } from '#platform/logging';
import { MakeHistoryDue } from '#transaction';
import { MakeBalancesDue } from '#wallet';
import { ReceivedNotices, type DueNotice, type NoticeOutcome } from './received-notices.js';

/** Maximum number of notices that one run processes. */
const BATCH = 500;
/** Maximum number of attempts to process a notice. After that, the periodic refresh of the wallet finds the change. */
const ATTEMPTS_MAX = 5;
/** Pause after the first failure; it doubles each time. */
const PAUSE_MS = 1_000;

/**
 * Processes stored notices, in every worker. For each notice, the wallet's balances and the history of the reported
 * kind become due at once. A notice is a hint: all facts are read from the exchange itself.
 */
@Injectable()
export class ApplyNotices implements OnApplicationBootstrap {
  constructor(
    private readonly db: Database,
    private readonly notices: ReceivedNotices,
    private readonly exchanges: Exchanges,
    private readonly balances: MakeBalancesDue,
    private readonly history: MakeHistoryDue,
    private readonly config: Config,
    private readonly periodicTasks: PeriodicTasks,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.periodicTasks.startDueWork('notices of exchanges', this.config.constants.WEBHOOK_SWEEP_MS, () =>
      this.execute(),
    );
  }

  /** @returns the number of processed notices. */
  async execute(): Promise<number> {
    let applied = 0;
    while (applied < BATCH && (await this.applyNext())) applied += 1;
    return applied;
  }

  /** @returns whether a notice was due. */
  private async applyNext(): Promise<boolean> {
    const taken: { notice: DueNotice | null } = { notice: null };
    try {
      await this.db.transaction(async (tx) => {
        taken.notice = await this.notices.take(tx);
        if (taken.notice !== null) await this.notices.finish(tx, taken.notice, await this.apply(tx, taken.notice));
      });
    } catch (error) {
      const { notice } = taken;
      if (notice === null) throw error;
      logFailedWork(this.logger, error, 'a notice of an exchange was not processed', { noticeId: notice.noticeId });
      const attempts = notice.attempts + 1;
      await this.notices.postpone(notice, attempts >= ATTEMPTS_MAX ? null : PAUSE_MS * 2 ** (attempts - 1));
    }
    return taken.notice !== null;
  }

  private async apply(tx: EntityManager, { exchange, body }: DueNotice): Promise<NoticeOutcome> {
    const declaration = this.exchanges.findNotices(exchange);
    const notice = declaration?.read(body) ?? null;
    if (declaration === null || notice === null) return 'ignored';
    const { kind, keyDigests } = notice;
    const wallets = await this.balances.execute(tx, { exchange: declaration.isSandbox ? null : exchange, keyDigests });
    if (wallets.length === 0) return 'no_wallet';
    await this.history.execute(tx, wallets, kind);
    return 'applied';
  }
}
