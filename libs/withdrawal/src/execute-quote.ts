import { Injectable } from '@nestjs/common';
import type { ProjectContext } from '#access';
import { networkById, type ExchangeSession } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { ValidationFailed } from '#platform/errors';
import { Secret } from '#platform/crypto';
import { Wallets, WalletSessions, type Wallet } from '#wallet';
import { AlreadyExecuted, ExecutedWithOtherTag, WithdrawalRefused } from './execution.errors.js';
import { checkTag } from './quote-checks.js';
import type { Quote } from './quote.entity.js';
import { Quotes } from './quotes.js';
import { SubmitWithdrawal } from './submit-withdrawal.js';
import { DryRunComplete, QuoteExpired, QuoteNotFound, WithdrawalRateLimitExceeded } from './withdrawal.errors.js';
import type { Withdrawal } from './withdrawal.entity.js';
import { canSubmit } from './withdrawal-state.js';
import { WithdrawalStore } from './withdrawal-store.js';

const MINUTE_MS = 60_000;
/** Between two looks at a withdrawal that another call is executing. */
const POLL_MS = 100;

export interface ExecuteInput {
  quoteId: string;
  walletId: string;
  /** undefined = not sent. */
  tag?: string | null;
  twofa?: string;
  dryRun: boolean;
  autoDeleteIfInvalid: boolean;
}

/** What an accepted execution is answered with, now and at every repeat. */
export interface ExecutionAnswer {
  id: string;
  transactionId: string;
}

/**
 * Executes a quote at most once, however often and from wherever it is called; every later call gets the recorded
 * answer. A submission without a definite answer is answered like an accepted one, because a client that sees an error
 * quotes again and pays twice.
 */
@Injectable()
export class ExecuteQuote {
  constructor(
    private readonly quotes: Quotes,
    private readonly wallets: Wallets,
    private readonly sessions: WalletSessions,
    private readonly store: WithdrawalStore,
    private readonly submit: SubmitWithdrawal,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  async execute(project: ProjectContext, input: ExecuteInput): Promise<ExecutionAnswer> {
    const deadline = this.clock.now().getTime() + this.config.values.EXECUTE_WAIT_MS;
    const wallet = await this.wallets.get(project, input.walletId);
    const quote = await this.quotes.find(project.id, wallet.id, input.quoteId);
    if (quote === null) throw new QuoteNotFound();
    const earlier = await this.store.findByQuote(project.id, quote.id);
    const tag = tagOf(quote, input.tag, earlier);
    if (earlier !== null && input.dryRun) throw new AlreadyExecuted(earlier.transactionId);
    if (earlier !== null && !canSubmit(earlier.state)) return this.answerOf(earlier, deadline);

    if (quote.isExpired(this.clock.now())) throw new QuoteExpired(quote.expiresAt);
    if (input.dryRun) return this.tryDry(wallet, quote, tag, input);
    if (earlier === null) await this.limitRate(wallet);
    const withdrawal = await this.sessions.use(wallet, { autoDelete: input.autoDeleteIfInvalid }, (session) =>
      this.submit.execute(session, quote, wallet, { tag, otp: otpOf(input), deadline }),
    );
    return this.answerOf(withdrawal, deadline);
  }

  /** Every check of an execution that does not move money, and then the code that says nothing is missing. */
  private tryDry(wallet: Wallet, quote: Quote, tag: string | null, input: ExecuteInput): Promise<never> {
    return this.sessions.use(wallet, { autoDelete: input.autoDeleteIfInvalid }, async (session: ExchangeSession) => {
      await this.submit.check(session, quote, tag);
      throw new DryRunComplete();
    });
  }

  private async limitRate(wallet: Wallet): Promise<void> {
    const since = new Date(this.clock.now().getTime() - MINUTE_MS);
    const executions = await this.store.countSince(wallet.id, since);
    if (executions >= this.config.values.WITHDRAWAL_RATE_PER_MINUTE)
      throw new WithdrawalRateLimitExceeded(MINUTE_MS / 1000);
  }

  /** The recorded answer; while another call is still sending, waits for its result until `deadline`. */
  private async answerOf(withdrawal: Withdrawal, deadline: number): Promise<ExecutionAnswer> {
    let current = withdrawal;
    while (current.state === 'submitting' && this.clock.now().getTime() < deadline) {
      await this.clock.sleep(POLL_MS);
      current = (await this.store.find(current.id)) ?? current;
    }
    if (current.errorCode !== null) {
      throw new WithdrawalRefused(current.errorCode, current.errorMessage ?? '', current.errorResult);
    }
    return { id: current.id, transactionId: current.transactionId };
  }
}

/** The execution may fill in a tag that the quote left out, once, and nothing else. */
function tagOf(quote: Quote, given: string | null | undefined, earlier: Withdrawal | null): string | null {
  if (earlier !== null) {
    if (given !== undefined && given !== earlier.tag) throw new ExecutedWithOtherTag(earlier.transactionId);
    return earlier.tag;
  }
  if (given === undefined || given === quote.tag) return quote.tag;
  if (quote.tag !== null || given === null) {
    throw new ValidationFailed([{ field: 'tag', message: 'tag differs from the tag of the quote' }]);
  }
  checkTag({ tag: given }, { id: quote.network, tagType: networkById(quote.network)?.tagType ?? null }, null);
  return given;
}

function otpOf(input: ExecuteInput): Secret | undefined {
  return input.twofa === undefined ? undefined : new Secret(input.twofa);
}
