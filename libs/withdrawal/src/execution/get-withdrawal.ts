import { Injectable } from '@nestjs/common';
import type { ProjectContext } from '#access';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { RestoredDatabase } from '../epoch/restored-database.js';
import type { Quote } from '../quote/quote.entity.js';
import type { VerificationReport } from '../verification/verification-report.js';
import { VerifyWithdrawal } from '../verification/verify-withdrawal.js';
import { QuoteNotFound } from '../quote/withdrawal.errors.js';
import { EXPIRED } from '../withdrawals/refusal.js';
import { WithdrawalTransitions } from '../withdrawals/withdrawal-transitions.js';
import { canSubmit } from '../withdrawals/withdrawal-state.js';
import type { Withdrawal } from '../withdrawals/withdrawal.entity.js';
import { WithdrawalStore } from '../withdrawals/withdrawal-store.js';
import { WithdrawalTime } from '../quote/withdrawal-time.js';

/** A quote and the state of its execution. */
export interface QuoteStatus {
  quote: Quote;
  withdrawal: Withdrawal | null;
  /** Whether the quote can still be executed. */
  isOpen: boolean;
  /** Whether the database was restored and may lack an execution of the quote. */
  mayLackExecution: boolean;
  verification: { report: VerificationReport; isLocked: boolean } | null;
}

/** Returns the state of a quote without asking the exchange. A page that was reloaded continues from this state. */
@Injectable()
export class GetWithdrawal {
  constructor(
    private readonly store: WithdrawalStore,
    private readonly transitions: WithdrawalTransitions,
    private readonly verification: VerifyWithdrawal,
    private readonly restored: RestoredDatabase,
    private readonly time: WithdrawalTime,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** @throws WalletNotFound, QuoteNotFound */
  async execute(project: ProjectContext, externalWalletId: string, quoteId: string): Promise<QuoteStatus> {
    const { quote, withdrawal } = await this.store.findExecution(project, externalWalletId, quoteId);
    if (quote === null) throw new QuoteNotFound();
    if (withdrawal !== null && !canSubmit(withdrawal.state)) {
      return { quote, withdrawal, isOpen: false, mayLackExecution: false, verification: null };
    }
    const isClosed = await this.store.isClosed(quote.id);
    const expires = !isClosed && this.mayBeExpired(quote) && (await this.expire(quote));
    const recorded = expires ? await this.store.findByQuote(project.id, quote.id) : withdrawal;
    const mayLackExecution = recorded === null && (await this.restored.mayLackExecution(quote));
    const isOpen = !isClosed && !expires && !mayLackExecution;
    const verification = isOpen ? await this.verification.describe(quote.id) : null;
    return { quote, withdrawal: recorded, isOpen, mayLackExecution, verification };
  }

  /** Whether the quote has expired by our own clock, or expires within CLOCK_DIFFERENCE_MAX_MS. */
  private mayBeExpired(quote: Quote): boolean {
    return quote.isExpired(new Date(this.clock.now().getTime() + this.config.values.CLOCK_DIFFERENCE_MAX_MS));
  }

  /**
   * Whether the quote has expired by the database's clock. The expiry is then stored before it is reported. Otherwise a
   * process whose clock is behind could still execute the quote.
   */
  private async expire(quote: Quote): Promise<boolean> {
    if (!quote.isExpired((await this.time.read()).now())) return false;
    await this.transitions.expired(quote, EXPIRED, this.clock.now());
    return true;
  }
}
