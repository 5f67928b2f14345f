import { Injectable } from '@nestjs/common';
import type { ProjectContext } from '#access';
import { Clock } from '#platform/clock';
import { Wallets } from '#wallet';
import type { Quote } from '../quote/quote.entity.js';
import { Quotes } from '../quote/quotes.js';
import type { VerificationReport } from '../verification/verification-report.js';
import { VerifyWithdrawal } from '../verification/verify-withdrawal.js';
import { QuoteNotFound } from '../withdrawal.errors.js';
import { EXPIRED } from './refusal.js';
import { WithdrawalLedger } from './withdrawal-ledger.js';
import { canSubmit } from './withdrawal-state.js';
import type { Withdrawal } from './withdrawal.entity.js';
import { WithdrawalStore } from './withdrawal-store.js';

/** A quote, and what has become of it. */
export interface QuoteStanding {
  quote: Quote;
  withdrawal: Withdrawal | null;
  /** It can still be executed. */
  isOpen: boolean;
  verification: { report: VerificationReport; isLocked: boolean } | null;
}

/** Where a quote stands, without asking the exchange: what a page that was reloaded needs to go on. */
@Injectable()
export class GetWithdrawal {
  constructor(
    private readonly wallets: Wallets,
    private readonly quotes: Quotes,
    private readonly store: WithdrawalStore,
    private readonly ledger: WithdrawalLedger,
    private readonly verification: VerifyWithdrawal,
    private readonly clock: Clock,
  ) {}

  /** @throws WalletNotFound, QuoteNotFound */
  async execute(project: ProjectContext, walletId: string, quoteId: string): Promise<QuoteStanding> {
    const wallet = await this.wallets.get(project, walletId);
    const quote = await this.quotes.find(project.id, wallet.id, quoteId);
    if (quote === null) throw new QuoteNotFound();
    const now = this.clock.now();
    // Written down before it is told, as Execute does: another process's clock may be behind this one's.
    if (quote.isExpired(now)) await this.ledger.expired(quote, EXPIRED, now);
    const withdrawal = await this.store.findByQuote(project.id, quote.id);
    const isOpen = !quote.isExpired(now) && (withdrawal === null || canSubmit(withdrawal.state));
    const verification = isOpen ? await this.verification.describe(quote.id) : null;
    return { quote, withdrawal, isOpen, verification };
  }
}
