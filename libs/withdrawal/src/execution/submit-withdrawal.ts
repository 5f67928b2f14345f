import { Inject, Injectable } from '@nestjs/common';
import {
  ProviderError,
  totalHeld,
  type ExchangeSession,
  type PreparedWithdrawal,
  type SubmitOptions,
  type SubmitOutcome,
  type WithdrawalCapability,
} from '#exchange';
import type { Amount } from '#money';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import type { DatabaseTime } from '#platform/database';
import { errorCodes, logFailedWork } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import type { Wallet } from '#wallet';
import { checkBalance } from '../quote/quote-checks.js';
import type { Quote } from '../quote/quote.entity.js';
import { confirmRefusal, type RefusedSubmission } from './confirm-refusal.js';
import { RecordTaken, LockLost } from './execution.errors.js';
import { KNOWN_BEFORE_LOOKBACK_MS } from './record-lookback.js';
import { refusalOf } from './refusal.js';
import type { WithdrawalAttempt } from './withdrawal-attempt.entity.js';
import { EXCHANGE_PAUSE_SECONDS, WithdrawalRateLimitExceeded } from '../withdrawal.errors.js';
import type { Withdrawal } from './withdrawal.entity.js';
import { WithdrawalTransitions, type Refusal } from './withdrawal-transitions.js';
import { clientRefOf, WithdrawalStore } from './withdrawal-store.js';

/** Attempts of one call when each before provably wrote nothing. */
const ATTEMPTS_MAX = 5;
/** How often the result of a submission is offered to the database before the sweep is left to find it. */
const RECORD_TRIES = 3;
const RECORD_PAUSE_MS = 200;
/** A lease outlives the submission by at least this, so that something can be sent in it. */
const LEASE_MARGIN_MS = 250;

export interface SubmitContext {
  tag: string | null;
  /** The call's lock at the quote. */
  lockHolder: string;
  /** What a person has given to prove that it is meant. */
  proof?: SubmitOptions['proof'];
  /** What the caller is told when the exchange wants it verified first. */
  refusal: (outcome: VerificationRequired) => Promise<Refusal>;
  time: DatabaseTime;
  /** Epoch milliseconds of the database's time after which nothing more is sent. */
  deadline: number;
}

type VerificationRequired = Extract<SubmitOutcome, { kind: 'verification_required' }>;

/** What is known before anything is sent. */
interface Checked {
  prepared: PreparedWithdrawal;
  balanceBefore: Amount | null;
  knownIds: string[];
}

/**
 * One execution, step by step: ask what must be asked, claim and write down the intent (committed), send once, write
 * down the result. Nothing here sends a second time unless the first one provably wrote nothing.
 */
@Injectable()
export class SubmitWithdrawal {
  constructor(
    private readonly store: WithdrawalStore,
    private readonly transitions: WithdrawalTransitions,
    private readonly clock: Clock,
    private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const { WITHDRAWAL_LEASE_MS, EXCHANGE_SUBMIT_TIMEOUT_MS, EXECUTE_WAIT_MS } = config.values;
    if (WITHDRAWAL_LEASE_MS < EXCHANGE_SUBMIT_TIMEOUT_MS + LEASE_MARGIN_MS) {
      throw new Error(`WITHDRAWAL_LEASE_MS must be at least EXCHANGE_SUBMIT_TIMEOUT_MS + ${LEASE_MARGIN_MS}`);
    }
    // Else a call would stop waiting for the exchange before the exchange had its time to answer.
    if (EXCHANGE_SUBMIT_TIMEOUT_MS >= EXECUTE_WAIT_MS) {
      throw new Error('EXCHANGE_SUBMIT_TIMEOUT_MS must be below EXECUTE_WAIT_MS');
    }
  }

  /** @returns the withdrawal as it stands; a refusal is in it, not thrown. */
  async execute(session: ExchangeSession, quote: Quote, wallet: Wallet, context: SubmitContext): Promise<Withdrawal> {
    const capability = capabilityOf(session);
    const checked = await this.check(session, quote, context.tag);
    const claim = {
      withdrawalId: this.clock.newId(),
      transactionId: this.clock.newId(),
      tag: context.tag,
      lockHolder: context.lockHolder,
    };
    for (let attemptNumber = 1; ; attemptNumber++) {
      const startedAt = context.time.now();
      const { withdrawal, attempt } = await this.store.begin(quote, wallet, claim, {
        id: this.clock.newId(),
        connector: session.exchange,
        connectorVersion: session.connectorVersion,
        class: capability.class,
        ...checked,
        startedAt,
        leaseUntil: new Date(startedAt.getTime() + this.config.values.WITHDRAWAL_LEASE_MS),
      });
      if (attempt === null) return withdrawal;
      const sent = await this.send(capability, checked.prepared, attempt, quote, context);
      const outcome = await this.confirm(session, sent, { ...checked, asset: quote.asset, startedAt });
      const refusal = await this.refusalIn(outcome, context);
      const recorded = await this.record(withdrawal, attempt, { outcome, refusal, time: context.time }, quote);
      if (recorded && isPause(outcome)) throw new WithdrawalRateLimitExceeded(EXCHANGE_PAUSE_SECONDS);
      const isLast = attemptNumber === ATTEMPTS_MAX || context.time.now().getTime() >= context.deadline;
      if (outcome.kind === 'not_sent' && !isLast) continue;
      // Taken by the sweep, or by a commit whose answer was lost: then the row knows more than this call.
      const current = recorded ? null : await this.store.find(withdrawal.id).catch(() => null);
      if (current !== null && current.state !== 'submitting') return current;
      // What is definite and cannot be written down now is left to the next call to say.
      if (!recorded && isDefinite(outcome)) throw new LockLost();
      return standing(withdrawal, outcome, recorded ? refusal : null, recorded);
    }
  }

  /** What can be known before anything is sent: the saved address, the balance, the history. @throws what is missing. */
  async check(session: ExchangeSession, quote: Quote, tag: string | null): Promise<Checked> {
    const { asset, network, address, amountNoFee, fee, amountWithFee } = quote;
    const capability = capabilityOf(session);
    const clientRef = clientRefOf(quote.id);
    const instruction = { asset, network, address, tag, amountNoFee, fee, amountWithFee, clientRef };
    const prepared = await capability.prepare(instruction);
    const balances = await session.balances();
    checkBalance({ asset, amount: quote.includeFee ? amountWithFee : amountNoFee }, { amountWithFee }, balances);
    return {
      prepared,
      balanceBefore: totalHeld(balances, asset),
      knownIds: await this.idsAlike(capability, asset, prepared),
    };
  }

  /**
   * Records that look like this withdrawal before it is sent, where only looks can tell it from others.
   * @throws ExchangeError when the history cannot be read: an older record could then be taken for this withdrawal.
   */
  private async idsAlike(
    capability: WithdrawalCapability,
    asset: string,
    prepared: PreparedWithdrawal,
  ): Promise<string[]> {
    if (capability.class !== 'by_match') return [];
    const notBefore = new Date(this.clock.now().getTime() - KNOWN_BEFORE_LOOKBACK_MS);
    const alike = await capability.find({ asset, ...prepared, exchangeId: null, notBefore });
    return alike.map(({ exchangeId }) => exchangeId);
  }

  private async send(
    capability: WithdrawalCapability,
    prepared: PreparedWithdrawal,
    attempt: WithdrawalAttempt,
    quote: Quote,
    { time, deadline, proof }: SubmitContext,
  ): Promise<SubmitOutcome> {
    const leaseEnds = attempt.leaseUntil.getTime() - this.config.values.EXCHANGE_SUBMIT_TIMEOUT_MS;
    const sendBefore = Math.min(deadline, leaseEnds, quote.expiresAt.getTime());
    try {
      return await capability.submit(prepared, {
        proof,
        beforeSend: () => {
          const now = time.now();
          // Later than this, the answer could come after the sweep has given the attempt up as unknown.
          if (now.getTime() >= sendBefore) throw new Error('too late to send within the lease or the quote');
          time.requireSteadyHost();
          attempt.sentAt = now;
        },
      });
    } catch (error) {
      // A connector never throws here; if one does, whether it had sent is all that counts.
      logFailedWork(this.logger, error, 'submit threw', { attemptId: attempt.id });
      return attempt.sentAt === null
        ? { kind: 'not_sent', reason: 'connector error' }
        : { kind: 'unknown', reason: 'connector error', answer: {} };
    }
  }

  private async confirm(
    session: ExchangeSession,
    outcome: SubmitOutcome,
    submission: RefusedSubmission,
  ): Promise<SubmitOutcome> {
    if (outcome.kind !== 'rejected' && outcome.kind !== 'verification_required') return outcome;
    const confirmed = await confirmRefusal(session, outcome, submission);
    if (confirmed !== outcome) this.logger.warn({ outcome: confirmed }, 'a refusal of the exchange is not believed');
    return confirmed;
  }

  private async refusalIn(outcome: SubmitOutcome, context: SubmitContext): Promise<Refusal | null> {
    if (outcome.kind === 'rejected') return isPause(outcome) ? null : refusalOf(outcome);
    if (outcome.kind !== 'verification_required') return null;
    try {
      return await context.refusal(outcome);
    } catch (error) {
      // Nothing has moved, and that must be written down whatever else fails.
      logFailedWork(this.logger, error, 'a challenge was not recorded');
      return { code: outcome.code, message: errorCodes[outcome.code].when, result: null };
    }
  }

  /** @returns false when the database did not take the result: the sweep will find it at the exchange. */
  private async record(withdrawal: Withdrawal, attempt: WithdrawalAttempt, end: End, quote: Quote): Promise<boolean> {
    const facts = { withdrawalId: withdrawal.id, attemptId: attempt.id, outcome: end.outcome.kind };
    for (let tries = 1; tries <= RECORD_TRIES; tries++) {
      try {
        const recorded = await this.write(withdrawal, attempt, end, quote.expiresAt);
        this.logger.info({ ...facts, recorded }, 'withdrawal submitted');
        return recorded;
      } catch (error) {
        logFailedWork(this.logger, error, 'result of a submission was not recorded', { ...facts, tries });
        await this.clock.sleep(RECORD_PAUSE_MS);
      }
    }
    this.logger.warn(facts, 'the worker has to find out what became of a submission');
    return false;
  }

  private write(
    w: Withdrawal,
    attempt: WithdrawalAttempt,
    { outcome, refusal, time }: End,
    until: Date,
  ): Promise<boolean> {
    const now = time.now();
    if (refusal !== null && outcome.kind === 'rejected') {
      return this.transitions.rejected(w, attempt, refusal, outcome.answer, now);
    }
    if (refusal !== null && outcome.kind === 'verification_required') {
      const answer = { ...outcome.answer, withCode: refusal.code === 'WITHDRAWAL_2FA_INVALID' };
      return this.transitions.verificationRequired(w, attempt, refusal, answer, { now, until });
    }
    switch (outcome.kind) {
      case 'accepted':
        return this.transitions
          .accepted(w, attempt, outcome.exchangeId, outcome.answer, now)
          .catch((error: unknown) => {
            if (!(error instanceof RecordTaken)) throw error;
            const reason = 'the exchange named a record of another withdrawal';
            return this.transitions.unknown(
              w,
              attempt,
              { ...outcome.answer, reason, takenRecord: error.exchangeId },
              now,
            );
          });
      case 'unknown':
        return this.transitions.unknown(w, attempt, { reason: outcome.reason, ...outcome.answer }, now);
      case 'not_sent':
        return this.transitions.notSent(w, attempt, outcome.reason, now, until);
      default:
        return this.transitions.notSent(w, attempt, outcome.rawCode, now, until);
    }
  }
}

/** What came back, and what the caller is told when that is a refusal that counts. */
interface End {
  outcome: SubmitOutcome;
  refusal: Refusal | null;
  time: DatabaseTime;
}

type Pause = Extract<SubmitOutcome, { kind: 'rejected' }> & { code: 'WITHDRAWAL_RATE_LIMIT_EXCEEDED' };

/** The exchange itself wants fewer calls: nothing moved, and the same quote may be executed a little later. */
function isPause(outcome: SubmitOutcome): outcome is Pause {
  return outcome.kind === 'rejected' && outcome.code === 'WITHDRAWAL_RATE_LIMIT_EXCEEDED';
}

/** Nothing has moved. */
function isDefinite({ kind }: SubmitOutcome): boolean {
  return kind !== 'accepted' && kind !== 'unknown';
}

/**
 * The withdrawal after its submission, without asking the database again: what was sent must not end in an error of
 * ours. A refusal that is not recorded is not told either, because its repeats would be answered otherwise.
 */
function standing(w: Withdrawal, outcome: SubmitOutcome, refusal: Refusal | null, recorded: boolean): Withdrawal {
  if (outcome.kind === 'accepted') return { ...w, state: 'submitted', exchangeId: outcome.exchangeId };
  if (!recorded || outcome.kind === 'unknown') return { ...w, state: 'unknown' };
  if (refusal === null) return { ...w, state: 'created' };
  const { code: errorCode, message: errorMessage, result: errorResult } = refusal;
  const state = outcome.kind === 'rejected' ? 'rejected' : 'verification_required';
  return { ...w, state, errorCode, errorMessage, errorResult };
}

function capabilityOf({ withdrawals }: ExchangeSession): WithdrawalCapability {
  if (withdrawals === undefined) throw new ProviderError('Withdrawals of this exchange are not supported');
  return withdrawals;
}
