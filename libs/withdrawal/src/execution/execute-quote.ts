import { Injectable } from '@nestjs/common';
import type { ProjectContext } from '#access';
import {
  networkById,
  ProviderError,
  type ExchangeSession,
  type PreparedWithdrawal,
  type VerificationCodes,
} from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import type { Secret } from '#platform/crypto';
import { DomainError, ValidationFailed } from '#platform/errors';
import { RateLimit, waitOutside } from '#platform/load';
import { CredentialsReplaced, WalletSessions, type Wallet } from '#wallet';
import { AlreadyExecuted, LockLost, WithdrawalRefused } from '../withdrawals/execution.errors.js';
import { DatabaseRestored, ExecutionMayBeLost } from '../epoch/epoch.errors.js';
import { RestoredDatabase } from '../epoch/restored-database.js';
import { checkLeftOutTag, checkTag, leavesTagOpen } from '../quote/quote-checks.js';
import type { Quote } from '../quote/quote.entity.js';
import { Quotes } from '../quote/quotes.js';
import { ExecutionLocks } from '../withdrawals/execution-locks.js';
import { CodesLocked, WRONG_CODES_MAX } from '../verification/verification.errors.js';
import { uncheckedByDryRun } from '../verification/single-method.js';
import type { VerificationSubject } from '../verification/verification-subject.js';
import { VerifyWithdrawal } from '../verification/verify-withdrawal.js';
import { SubmitWithdrawal, type SubmitContext } from './submit-withdrawal.js';
import { EXPIRED, type RecordedRefusal, type Refusal } from '../withdrawals/refusal.js';
import { WithdrawalTransitions } from '../withdrawals/withdrawal-transitions.js';
import {
  asPause,
  DryRunComplete,
  DryRunLimitExceeded,
  QuoteExpired,
  QuoteNotFound,
} from '../quote/withdrawal.errors.js';
import type { Withdrawal } from '../withdrawals/withdrawal.entity.js';
import { canSubmit } from '../withdrawals/withdrawal-state.js';
import { WithdrawalStore } from '../withdrawals/withdrawal-store.js';
import { requireSameTag } from '../withdrawals/withdrawal-tag.js';
import { WithdrawalTime } from '../quote/withdrawal-time.js';

const MINUTE_MS = 60_000;
/** Maximum number of tries to record an unknown outcome when a submission has no result in time. */
const GIVE_UP_TRIES = 3;
/** Pause between two reads of a withdrawal that another call is executing. */
const POLL_MS = 100;

export interface ExecuteInput {
  quoteId: string;
  externalWalletId: string;
  /** undefined = the client sent no `tag`. */
  tag?: string | null;
  codes: VerificationCodes;
  /** The id of the open challenge, as the client sent it back. */
  bizNo?: string;
  dryRun: boolean;
  autoDeleteIfInvalid: boolean;
}

/** One call, with its quote and its wallet. */
interface Execution {
  project: ProjectContext;
  wallet: Wallet;
  quote: Quote;
  input: ExecuteInput;
  /** Moment until which the call may wait for the result of another call, in monotonic milliseconds. */
  waitUntilMs: number;
  /**
   * Called when this execution has failed, before it reads whether another call has executed the quote. Later equal
   * calls then begin an execution of their own instead of joining this one.
   */
  onFailed: () => void;
}

/** The result of an execution that is accepted or may be accepted; every repeat of the call gets the same result. */
export interface ExecutionAnswer {
  id: string;
  transactionId: string;
}

/**
 * Executes a quote at most once, even when many calls arrive at several processes. Every later call gets the recorded
 * result. An unknown outcome is reported like an accepted withdrawal, because a client that sees an error would request
 * a new quote and pay twice.
 */
@Injectable()
export class ExecuteQuote {
  /** Equal calls that run in this process at the same time share one execution and one set of calls to the exchange. */
  private readonly running = new Map<string, Promise<ExecutionAnswer>>();
  private readonly dryRuns: RateLimit;

  constructor(
    private readonly quotes: Quotes,
    private readonly sessions: WalletSessions,
    private readonly store: WithdrawalStore,
    private readonly transitions: WithdrawalTransitions,
    private readonly locks: ExecutionLocks,
    private readonly verification: VerifyWithdrawal,
    private readonly submit: SubmitWithdrawal,
    private readonly restored: RestoredDatabase,
    private readonly time: WithdrawalTime,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {
    this.dryRuns = new RateLimit(config.constants.WITHDRAWAL_DRY_RUN_RATE_PER_MINUTE, MINUTE_MS);
  }

  execute(project: ProjectContext, input: ExecuteInput): Promise<ExecutionAnswer> {
    const call = keyOf(project, input);
    const running = this.running.get(call);
    if (running !== undefined) return running;
    const started = this.run(project, input, () => this.endRunning(call, started)).finally(() => {
      this.endRunning(call, started);
    });
    this.running.set(call, started);
    return started;
  }

  /** Lets later calls begin an execution of their own instead of joining the running one. */
  private endRunning(call: string, started: Promise<ExecutionAnswer>): void {
    if (this.running.get(call) === started) this.running.delete(call);
  }

  private async run(project: ProjectContext, input: ExecuteInput, onFailed: () => void): Promise<ExecutionAnswer> {
    const waitUntilMs = this.clock.monotonicMs() + this.config.values.EXECUTE_WAIT_MS;
    const found = await this.store.findExecution(project, input.externalWalletId, input.quoteId);
    const { wallet, quote, withdrawal: earlier } = found;
    if (quote === null) throw new QuoteNotFound();
    const execution = { project, wallet, quote, input, waitUntilMs, onFailed };
    try {
      return await this.executeUnderLock(execution, earlier);
    } catch (error) {
      onFailed();
      await this.publish(quote, error, input.dryRun);
      throw error;
    }
  }

  private async publish(quote: Quote, error: unknown, dryRun: boolean): Promise<void> {
    if (!isRefusal(error)) return;
    // The refusal of an execution was published when it was recorded. The refusal of a dry run is not recorded.
    if (dryRun) await this.transitions.publishRefusal(quote, toRefusal(error), 'dry_run');
    else if (!(error instanceof WithdrawalRefused)) await this.transitions.publishRefusal(quote, toRefusal(error));
  }

  private async executeUnderLock(execution: Execution, earlier: Withdrawal | null): Promise<ExecutionAnswer> {
    const { project, quote, input, onFailed } = execution;
    // Dry runs and calls that only return a recorded result need no lock; calls that may submit wait for each other.
    if (input.dryRun || (earlier !== null && !canSubmit(earlier.state))) return this.proceed(execution, earlier, '');
    return this.locks.run(quote.id, async (lockHolder) => {
      const current = await this.store.findByQuote(project.id, quote.id);
      // If another call has just got a refusal, a call without a verification code would get the same refusal. So it
      // reports the recorded refusal and does not query the exchange.
      if (hasNews(earlier, current) && !hasCodes(input)) throwRecorded(current, quote);
      return this.proceed(execution, current, lockHolder).catch((error: unknown) => {
        // When the lock is released, another process may execute the quote, so later calls must not join this one.
        onFailed();
        throw error;
      });
    });
  }

  private async proceed(
    execution: Execution,
    earlier: Withdrawal | null,
    lockHolder: string,
  ): Promise<ExecutionAnswer> {
    const { project, wallet, quote, input, waitUntilMs } = execution;
    const tag = tagOf(quote, input.tag, earlier);
    if (earlier !== null && !canSubmit(earlier.state)) return this.answerRecorded(execution, earlier, tag);

    const time = await this.time.read();
    if (quote.isExpired(time.now())) return this.answerExpired(execution, tag);
    if (earlier === null) checkGivenTag(quote, tag);
    else requireSameTag(earlier, tag);
    await this.checkLeftOutTag(execution);
    if (input.dryRun) this.limitDryRuns(wallet);
    const wrongCodes = earlier?.state === 'verification_required' ? await this.countWrongCodes(earlier) : 0;
    const withdrawal = await this.sessions
      .use(wallet, { autoDelete: input.autoDeleteIfInvalid }, (session, credentialVersion) => {
        if (credentialVersion !== quote.credentialVersion) throw new CredentialsReplaced();
        const deadline = time.now().getTime() + waitUntilMs - this.clock.monotonicMs();
        const subject = { session, project, quote, tag, earlier, wrongCodes, time, deadline };
        if (input.dryRun) return this.tryDry(subject, wallet, input);
        return this.pay(subject, wallet, { ...input, lockHolder });
      })
      .catch((error: unknown) => this.executedMeanwhile(execution, tag, error));
    return this.answerOf(withdrawal, execution);
  }

  /** Refuses a call without a tag when the quote still needs a tag and the wallet has used one with the address. */
  private async checkLeftOutTag({ wallet, quote, input }: Execution): Promise<void> {
    if (input.tag !== undefined || !leavesTagOpen(quote)) return;
    checkLeftOutTag(await this.quotes.findUsedTag(wallet, quote));
  }

  /** Completes the verification first, and submits only when nothing is missing. */
  private async pay(
    subject: VerificationSubject,
    wallet: Wallet,
    input: ExecuteInput & { lockHolder: string },
  ): Promise<Withdrawal> {
    const { session, quote, tag, time, deadline } = subject;
    const { mode } = subject.project;
    const verification = await this.verification.advance(subject, input, () => this.prepare(session, quote, tag));
    const { lockHolder } = input;
    const claim = { withdrawalId: this.clock.newId(), transactionId: this.clock.newId(), tag, mode, lockHolder };
    if (!verification.isReady) {
      return this.store.awaitVerification(quote, wallet, { ...claim, now: time.now() }, verification.refusal);
    }
    const { proof } = verification;
    const refusal: SubmitContext['refusal'] = (outcome) => this.verification.refusal(subject, outcome, proof);
    const withdrawal = await this.submit.execute(session, quote, wallet, { claim, time, deadline, proof, refusal });
    // While nothing was sent, the codes stay stored, because the next call can still use them.
    if (withdrawal.state !== 'created') await this.verification.forget(quote.id, proof);
    return withdrawal;
  }

  private async prepare(session: ExchangeSession, quote: Quote, tag: string | null): Promise<PreparedWithdrawal> {
    return (await this.submit.check(session, quote, tag)).prepared;
  }

  /**
   * Handles a failure that another call may have caused by executing the quote. If another call has executed the quote,
   * returns the result of that execution.
   * @throws ExecutionMayBeLost when the database was restored after the quote was created; but a DatabaseRestored is
   *   thrown unchanged.
   * @throws `error` in all other cases; an error because of a rate limit becomes an ExchangePause.
   */
  private async executedMeanwhile(
    { quote, input, onFailed }: Execution,
    tag: string | null,
    error: unknown,
  ): Promise<Withdrawal> {
    onFailed();
    const executed = input.dryRun ? null : await this.store.findByQuote(quote.projectId, quote.id);
    if (executed !== null && !canSubmit(executed.state)) {
      requireSameTag(executed, tag);
      return executed;
    }
    const isStopped = error instanceof DatabaseRestored;
    if (!isStopped && (await this.restored.mayLackExecution(quote))) throw new ExecutionMayBeLost();
    throw asPause(error);
  }

  /**
   * Records that the quote has expired before reporting it. Otherwise a process whose clock is behind could still
   * execute the quote.
   * @throws QuoteExpired; ExecutionMayBeLost when a restored database may lack an execution of the quote.
   */
  private async answerExpired(execution: Execution, tag: string | null): Promise<ExecutionAnswer> {
    const { quote } = execution;
    await this.transitions.expired(quote, EXPIRED, this.clock.now());
    const executed = await this.store.findByQuote(quote.projectId, quote.id);
    if (executed !== null) return this.answerRecorded(execution, executed, tag);
    throw (await this.restored.mayLackExecution(quote)) ? new ExecutionMayBeLost() : new QuoteExpired(quote.expiresAt);
  }

  /** Returns the recorded result of a quote that can no longer be executed. */
  private async answerRecorded(
    execution: Execution,
    executed: Withdrawal,
    tag: string | null,
  ): Promise<ExecutionAnswer> {
    requireSameTag(executed, tag);
    if (!execution.input.dryRun) return this.answerOf(executed, execution);
    throwRecorded(executed, execution.quote);
    throw new AlreadyExecuted(executed.transactionId);
  }

  /**
   * Runs every check of an execution without moving money.
   * @throws DryRunComplete when nothing is known to be missing.
   */
  private async tryDry(subject: VerificationSubject, wallet: Wallet, input: ExecuteInput): Promise<never> {
    const { session, quote, tag } = subject;
    const prepared = await this.prepare(session, quote, tag);
    const verification = await this.verification.advance(subject, input, () => Promise.resolve(prepared));
    if (!verification.isReady) throw refusedWith(verification.refusal);
    await this.store.refuseDuplicate(quote, wallet, tag);
    const { report, proof } = verification;
    throw new DryRunComplete({ ...report }, uncheckedByDryRun(proof, session.withdrawals));
  }

  private limitDryRuns({ id }: Wallet): void {
    const { isAdmitted, msLeft } = this.dryRuns.count(id);
    if (!isAdmitted) throw new DryRunLimitExceeded(Math.ceil(msLeft / 1_000));
  }

  private async countWrongCodes({ id }: Withdrawal): Promise<number> {
    const count = await this.store.countWrongCodes(id);
    if (count >= WRONG_CODES_MAX) throw new CodesLocked();
    return count;
  }

  /**
   * Records an unknown outcome when the call that is sending has no result in time. The outcome is recorded before it
   * is reported, so that a later result cannot contradict the report: of the late results of that call, only an
   * acceptance can still be recorded.
   */
  private async giveUp(withdrawal: Withdrawal): Promise<Withdrawal> {
    const attempt = await this.store.findLiveAttempt(withdrawal.id);
    const answer = { reason: 'no result in time' };
    const time = await this.time.read();
    if (attempt !== null) await this.transitions.unknown(withdrawal, attempt, answer, time.now());
    return (await this.store.find(withdrawal.id)) ?? withdrawal;
  }

  /** Returns the recorded result. While another call is still sending, waits for its result until `waitUntilMs`. */
  private async answerOf(withdrawal: Withdrawal, execution: Execution): Promise<ExecutionAnswer> {
    const { quote, waitUntilMs, onFailed } = execution;
    let current = withdrawal;
    while (current.state === 'submitting' && this.clock.monotonicMs() < waitUntilMs) {
      await waitOutside(() => this.clock.sleep(POLL_MS));
      // The withdrawal may have been sent, so an error of the database must not become the result of this call.
      current = (await this.store.find(current.id).catch(() => null)) ?? current;
    }
    for (let tries = 1; tries <= GIVE_UP_TRIES && current.state === 'submitting'; tries++) {
      current = await this.giveUp(current).catch(() => current);
    }
    // The unknown outcome could not be recorded, so this call reports nothing that a later result could contradict.
    if (current.state === 'submitting') throw new LockLost();
    throwRecorded(current, quote);
    if (current.state !== 'created') return { id: current.id, transactionId: current.transactionId };
    // Later calls do not join this one, because another process may execute the quote before this call responds.
    onFailed();
    const latest = (await this.store.find(current.id)) ?? current;
    if (latest.state !== 'created') return this.answerOf(latest, execution);
    if (quote.isExpired((await this.time.read()).now())) return this.answerExpired(execution, current.tag);
    const message =
      'The withdrawal could not be sent to the exchange, and no money has moved; execute the same quote again';
    throw new ProviderError(message, { reason: 'not_sent' });
  }
}

/** @throws QuoteExpired, WithdrawalRefused when the recorded result of the withdrawal is an expiry or a refusal. */
function throwRecorded(
  { errorCode: code, errorMessage, errorResult: result }: RecordedRefusal,
  { expiresAt }: Quote,
): void {
  if (code === EXPIRED.code) throw new QuoteExpired(expiresAt);
  if (code !== null) throw refusedWith({ code, message: errorMessage ?? '', result });
}

function refusedWith({ code, message, result }: Refusal): WithdrawalRefused {
  return new WithdrawalRefused(code, message, result);
}

/**
 * Whether this error is a refusal to be published to the listeners of the quote. An expiry was published when it was
 * recorded. A call that conflicts with another call (409 with `Retry-After`) publishes nothing, because the other call
 * publishes the result. After a restore nothing is published, because an earlier call may have paid.
 */
function isRefusal(error: unknown): error is DomainError {
  if (!(error instanceof DomainError) || error instanceof QuoteExpired) return false;
  if (error instanceof DatabaseRestored || error instanceof ExecutionMayBeLost) return false;
  return error.status !== 409 || error.retryAfterSeconds === undefined;
}

function toRefusal({ code, message, details }: DomainError): Refusal {
  return { code, message, result: details.result ?? null };
}

function hasNews(before: Withdrawal | null, now: Withdrawal | null): now is Withdrawal {
  return now !== null && now.updatedAt.getTime() !== before?.updatedAt.getTime();
}

function hasCodes({ codes }: ExecuteInput): boolean {
  return Object.values(codes as Record<string, Secret | undefined>).some((code) => code !== undefined);
}

/** Equal calls have equal keys. The key contains codes, so it is never logged and never outlives the call. */
function keyOf({ id }: ProjectContext, { codes, ...rest }: ExecuteInput): string {
  const given = Object.entries(codes as Record<string, Secret | undefined>);
  return JSON.stringify([id, rest, given.map(([field, code]) => [field, code?.reveal()])]);
}

/**
 * Returns the tag of this call: the given tag, else the tag of the execution that an earlier call began, else that of
 * the quote.
 */
function tagOf(quote: Quote, given: string | null | undefined, earlier: Withdrawal | null): string | null {
  return given === undefined ? (earlier ?? quote).tag : given;
}

/** Checks the tag of the first execution of a quote, which may be one that the quote left out. */
function checkGivenTag(quote: Quote, tag: string | null): void {
  if (tag === quote.tag) return;
  if (quote.tag !== null) {
    throw new ValidationFailed([
      {
        field: 'tag',
        message: 'tag differs from the tag of the quote; leave tag out, or request a quote with the other tag',
      },
    ]);
  }
  checkTag({ tag }, { id: quote.network, tagType: networkById(quote.network)?.tagType ?? null }, null);
}
