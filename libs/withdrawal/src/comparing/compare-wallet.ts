import { Inject, Injectable } from '@nestjs/common';
import { ExchangeError, type WithdrawalList } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { logFailedWork } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { WalletNotFound, WalletSessions } from '#wallet';
import { CompareRefusals } from '../refusals/compare-refusals.js';
import { EpochChecks, type EpochCheck } from '../epoch/epoch-checks.js';
import { hasMoved, LONG_LIST_PAGES } from '../withdrawals/exchange-records.js';

const HOUR_MS = 3_600_000;
/**
 * First and longest pause before the next comparison of a wallet that has undecided withdrawals or whose exchange
 * cannot be queried. The pause doubles each time.
 */
const RETRY_FIRST_MS = 5_000;
const RETRY_LAST_MS = 300_000;

/**
 * Compares the withdrawals of one wallet with the exchange's history after the database was restored. The wallet cannot
 * withdraw before the comparison is done. Several workers may compare the same wallet at once: they only read at the
 * exchange, and only the first result is stored.
 */
@Injectable()
export class CompareWallet {
  constructor(
    private readonly checks: EpochChecks,
    private readonly sessions: WalletSessions,
    private readonly refusals: CompareRefusals,
    private readonly clock: Clock,
    private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async execute(walletId: string): Promise<void> {
    const check = await this.checks.find(walletId);
    if (check === null) return;
    // The reconciler may still link an open withdrawal to a record, which must then not be stored as unmatched.
    if (await this.checks.hasUndecided(walletId)) return this.postpone(check);
    const listed = await this.list(check);
    if (listed === null) return this.postpone(check);
    const { records, isComplete } = listed;
    await this.refusals.compare(walletId, records);
    if (!isComplete) {
      this.logger.error({ wallet: walletId }, 'the exchange has too many withdrawals to compare the wallet with it');
      return this.postpone(check);
    }
    // Records that moved no money must not block an equal withdrawal.
    const moved = records.filter(hasMoved);
    const unmatchedRecords = await this.checks.close(check, moved);
    if (unmatchedRecords === null) return;
    const facts = { wallet: walletId, project: check.projectId, unmatchedRecords };
    if (unmatchedRecords === 0) this.logger.info(facts, 'the wallet was compared with its exchange');
    else this.logger.error(facts, 'the exchange shows withdrawals that the restored database does not know');
  }

  /** Lists the withdrawals of the wallet at the exchange. Returns null when the exchange could not be queried. */
  private async list({ walletId, firstSeenAt }: EpochCheck): Promise<WithdrawalList | null> {
    const since = new Date(firstSeenAt.getTime() - this.config.values.RESTORE_LOOKBACK_HOURS * HOUR_MS);
    try {
      const { withdrawals } = await this.sessions.openById(walletId);
      return (await withdrawals?.list(since, LONG_LIST_PAGES)) ?? { records: [], isComplete: true };
    } catch (error) {
      if (!(error instanceof ExchangeError) && !(error instanceof WalletNotFound)) throw error;
      const facts = { wallet: walletId };
      logFailedWork(
        this.logger,
        error,
        'a wallet could not be compared with its exchange after the restore of the database',
        facts,
      );
      return null;
    }
  }

  private postpone(check: EpochCheck): Promise<void> {
    const ms = Math.min(RETRY_LAST_MS, RETRY_FIRST_MS * 2 ** Math.min(check.checkCount, 20));
    return this.checks.postpone(check, new Date(this.clock.now().getTime() + ms));
  }
}
