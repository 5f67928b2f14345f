import { Inject, Injectable } from '@nestjs/common';
import {
  asked,
  ProviderError,
  holdingsOf,
  lagOf,
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
import { generalMessageOf, logFailedWork } from '#platform/errors';
import { waitOutside } from '#platform/load';
import { LOGGER, type Logger } from '#platform/logging';
import type { Wallet } from '#wallet';
import { checkBalance } from '../quote/quote-checks.js';
import type { Quote } from '../quote/quote.entity.js';
import { requireSoundTimes } from './execution-times.js';
import { confirmRefusal, type RefusedSubmission, type WaitForLag } from './confirm-refusal.js';
import { RecheckRefusals } from '../refusals/recheck-refusals.js';
import { duplicateKeysOf } from '../withdrawals/duplicate-keys.js';
import { RecordTaken, LockLost } from '../withdrawals/execution.errors.js';
import { KNOWN_BEFORE_LOOKBACK_MS } from '../withdrawals/exchange-records.js';
import { type Refusal, refusalOf } from '../withdrawals/refusal.js';
import type { WithdrawalAttempt } from '../withdrawals/withdrawal-attempt.entity.js';
import { ExchangePause } from '../quote/withdrawal.errors.js';
import type { Withdrawal } from '../withdrawals/withdrawal.entity.js';
import { WithdrawalTransitions, type Acceptance } from '../withdrawals/withdrawal-transitions.js';
import { clientRefOf, type ClaimDraft } from '../withdrawals/new-withdrawal.js';
import { WithdrawalStore } from '../withdrawals/withdrawal-store.js';

/** Maximum number of attempts of one call; another attempt follows only when the one before provably sent nothing. */
const ATTEMPTS_MAX = 5;
/**
 * Maximum number of tries to record the result of a submission. After them, the sweep finds the result at the exchange.
 */
const RECORD_TRIES = 3;
const RECORD_PAUSE_MS = 200;

export interface SubmitContext {
  claim: ClaimDraft;
  /** The verification codes that a person has given. */
  proof?: SubmitOptions['proof'];
  /** Makes the refusal that the caller gets when the exchange wants a verification first. */
  refusal: (outcome: VerificationRequired) => Promise<Refusal>;
  time: DatabaseTime;
  /** Nothing is sent after this moment, in epoch milliseconds of the database's clock. */
  deadline: number;
}

type VerificationRequired = Extract<SubmitOutcome, { kind: 'verification_required' }>;

/** The facts that the checks have found before anything is sent. */
interface Checked {
  prepared: PreparedWithdrawal;
  totalBefore: Amount;
  freeBefore: Amount;
  knownIds: string[];
}

/**
 * Executes one withdrawal in four steps: it reads what it needs to know from the exchange, commits the claim and the
 * intent, sends once, and records the result. It sends a second time only when the first time provably sent nothing.
 */
@Injectable()
export class SubmitWithdrawal {
  constructor(
    private readonly store: WithdrawalStore,
    private readonly transitions: WithdrawalTransitions,
    private readonly recheck: RecheckRefusals,
    private readonly clock: Clock,
    private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    requireSoundTimes(config);
  }

  /**
   * @returns the withdrawal after the execution. A refusal by the exchange is recorded in the withdrawal and not
   *   thrown.
   */
  async execute(session: ExchangeSession, quote: Quote, wallet: Wallet, context: SubmitContext): Promise<Withdrawal> {
    const capability = capabilityOf(session);
    const { claim } = context;
    const keys = duplicateKeysOf({ ...quote, tag: claim.tag, externalWalletId: wallet.externalId });
    const [checked, refusedSince] = await Promise.all([
      this.check(session, quote, claim.tag),
      this.recheck.find(keys, context.time.now()),
    ]);
    // `begin` fails when the exchange shows an equal withdrawal that it has refused.
    if (refusedSince !== null) await this.recheck.compare(session, wallet.id, refusedSince);
    for (let attemptNumber = 1; ; attemptNumber++) {
      const startedAt = context.time.now();
      const { withdrawal, attempt } = await this.store.begin(quote, wallet, claim, {
        id: this.clock.newId(),
        connector: session.exchange,
        connectorVersion: session.connectorVersion,
        class: capability.class,
        ...checked,
        startedAt,
        leaseUntil: new Date(startedAt.getTime() + this.config.constants.WITHDRAWAL_LEASE_MS),
      });
      if (attempt === null) return withdrawal;
      const sent = await this.send(capability, checked.prepared, attempt, { ...context, expiresAt: quote.expiresAt });
      const { asset, network } = quote;
      const until = Math.min(context.deadline, attempt.leaseUntil.getTime());
      const wait: WaitForLag = () => this.waitForLag(session, context.time, until);
      const outcome = await this.confirm(session, sent, { ...checked, asset, network, startedAt }, wait);
      const refusal = await this.refusalIn(outcome, context);
      const recorded = await this.record(withdrawal, attempt, { outcome, refusal, time: context.time }, quote);
      const pause = pauseOf(outcome);
      if (recorded && pause !== null) throw pause;
      const isLast = attemptNumber === ATTEMPTS_MAX || context.time.now().getTime() >= context.deadline;
      if (outcome.kind === 'not_sent' && !isLast) continue;
      // The row may already have another state, because the sweep was faster or the response to our commit was lost.
      const current = recorded ? null : await this.store.find(withdrawal.id).catch(() => null);
      if (current !== null && current.state !== 'submitting') return current;
      // A definite outcome is reported only when it is recorded; otherwise the next call could report another outcome.
      if (!recorded && isDefinite(outcome)) throw new LockLost();
      return afterSubmission(withdrawal, outcome, recorded ? refusal : null, recorded);
    }
  }

  /**
   * Prepares the withdrawal, checks the balance, and lists the matching records, before anything is sent.
   * @throws the error of the first of these steps that fails.
   */
  async check(session: ExchangeSession, quote: Quote, tag: string | null): Promise<Checked> {
    const { asset, network, address, amountNoFee, fee, amountWithFee } = quote;
    const capability = capabilityOf(session);
    const clientRef = clientRefOf(quote.id);
    const instruction = { asset, network, address, tag, amountNoFee, fee, amountWithFee, clientRef };
    const held = asked(session, () => session.balances());
    const prepared = await capability.prepare(instruction);
    const balances = await held();
    checkBalance({ asset, amount: quote.includeFee ? amountWithFee : amountNoFee }, { amountWithFee }, balances);
    // The history is read after the balance. Otherwise a payment that the owner makes between the two reads would lower
    // the balance without being among the known records.
    const knownIds = await this.idsAlike(capability, quote, prepared);
    const { total: totalBefore, free: freeBefore } = holdingsOf(session.exchange, balances, asset);
    return { prepared, totalBefore, freeBefore, knownIds };
  }

  /**
   * Lists the ids of records that match this withdrawal before it is sent. The list is needed where records carry no
   * reference of ours (`by_match`), or perhaps a changed one.
   * @throws ExchangeError when the history cannot be read, because an older record could then be taken for this
   *   withdrawal.
   */
  private async idsAlike(
    capability: WithdrawalCapability,
    { asset, network }: Pick<Quote, 'asset' | 'network'>,
    prepared: PreparedWithdrawal,
  ): Promise<string[]> {
    const isByMatch = capability.class === 'by_match';
    if (!isByMatch && capability.mayChangeReference !== true) return [];
    const notBefore = new Date(this.clock.now().getTime() - KNOWN_BEFORE_LOOKBACK_MS);
    const alike = await capability.find({ asset, network, ...prepared, exchangeId: null, notBefore });
    // A record with our reference belongs to this withdrawal, so a later search must find it.
    return alike.filter(({ isOnlyAlike }) => isByMatch || isOnlyAlike === true).map(({ exchangeId }) => exchangeId);
  }

  private async send(
    capability: WithdrawalCapability,
    prepared: PreparedWithdrawal,
    attempt: WithdrawalAttempt,
    { time, deadline, proof, expiresAt }: SubmitContext & Pick<Quote, 'expiresAt'>,
  ): Promise<SubmitOutcome> {
    const leaseEnds = attempt.leaseUntil.getTime() - this.config.values.EXCHANGE_SUBMIT_TIMEOUT_MS;
    const sendBefore = Math.min(deadline, leaseEnds, expiresAt.getTime());
    try {
      return await capability.submit(prepared, {
        proof,
        beforeSend: () => {
          const now = time.now();
          // If the request were sent later, its response could arrive after the sweep has recorded the attempt as
          // unknown.
          if (now.getTime() >= sendBefore) throw new Error('nothing was sent: the lease or the quote ends too soon');
          time.requireSteadyHost();
          attempt.sentAt = now;
        },
      });
    } catch (error) {
      // A connector must not throw here. If it does, the outcome depends only on whether it had sent the request.
      logFailedWork(this.logger, error, 'the connector threw while submitting a withdrawal', { attemptId: attempt.id });
      return attempt.sentAt === null
        ? { kind: 'not_sent', reason: 'connector error' }
        : { kind: 'unknown', reason: 'connector error', answer: {} };
    }
  }

  private async confirm(
    session: ExchangeSession,
    outcome: SubmitOutcome,
    submission: RefusedSubmission,
    waitForLag: WaitForLag,
  ): Promise<SubmitOutcome> {
    if (outcome.kind !== 'rejected' && outcome.kind !== 'verification_required') return outcome;
    const confirmed = await confirmRefusal(session, outcome, submission, waitForLag);
    if (confirmed !== outcome)
      this.logger.warn(
        { outcome: confirmed },
        'the account did not confirm the refusal of a withdrawal, so its outcome counts as unknown',
      );
    return confirmed;
  }

  /**
   * Waits for the lag of the exchange, unless the wait would last until `until`. The attempt stays in flight during the
   * wait, so when this process dies, the worker settles the withdrawal from the history of the exchange.
   */
  private async waitForLag(session: ExchangeSession, time: DatabaseTime, until: number): Promise<boolean> {
    const lagMs = lagOf(session, this.config);
    if (time.now().getTime() + lagMs >= until) return false;
    await waitOutside(() => this.clock.sleep(lagMs));
    return true;
  }

  private async refusalIn(outcome: SubmitOutcome, context: SubmitContext): Promise<Refusal | null> {
    if (pauseOf(outcome) !== null) return null;
    if (outcome.kind === 'rejected') return refusalOf(outcome);
    if (outcome.kind !== 'verification_required') return null;
    try {
      return await context.refusal(outcome);
    } catch (error) {
      // No money has moved. The refusal must be recorded even when the challenge cannot be recorded.
      logFailedWork(this.logger, error, 'the verification challenge of a withdrawal was not recorded');
      return { code: outcome.code, message: generalMessageOf(outcome.code), result: null };
    }
  }

  /** @returns false when the result could not be recorded. Then the sweep finds it at the exchange. */
  private async record(withdrawal: Withdrawal, attempt: WithdrawalAttempt, end: End, quote: Quote): Promise<boolean> {
    const facts = { withdrawalId: withdrawal.id, attemptId: attempt.id, outcome: end.outcome.kind };
    for (let tries = 1; tries <= RECORD_TRIES; tries++) {
      try {
        const recorded = await this.write(withdrawal, attempt, end, quote.expiresAt);
        this.logger.info({ ...facts, recorded }, 'withdrawal submitted');
        return recorded;
      } catch (error) {
        logFailedWork(this.logger, error, 'the result of a submission was not recorded', { ...facts, tries });
        await this.clock.sleep(RECORD_PAUSE_MS);
      }
    }
    this.logger.warn(
      facts,
      'the outcome of a submission was not recorded; the worker settles it from the history of the exchange',
    );
    return false;
  }

  private write(
    withdrawal: Withdrawal,
    attempt: WithdrawalAttempt,
    { outcome, refusal, time }: End,
    until: Date,
  ): Promise<boolean> {
    const now = time.now();
    if (refusal !== null && outcome.kind === 'rejected') {
      return this.transitions.rejected(withdrawal, attempt, { refusal, answer: outcome.answer, now });
    }
    if (refusal !== null && outcome.kind === 'verification_required') {
      const answer = { ...outcome.answer, withCode: refusal.code === 'WITHDRAWAL_2FA_INVALID' };
      return this.transitions.verificationRequired(withdrawal, attempt, { refusal, answer, now, until });
    }
    switch (outcome.kind) {
      case 'accepted':
        return this.accept(withdrawal, attempt, { ...outcome, now });
      case 'unknown':
        return this.transitions.unknown(withdrawal, attempt, { reason: outcome.reason, ...outcome.answer }, now);
      case 'not_sent':
        return this.transitions.notSent(withdrawal, attempt, { reason: outcome.reason, now, until });
      default:
        return this.transitions.notSent(withdrawal, attempt, { reason: outcome.rawCode, now, until });
    }
  }

  private async accept(withdrawal: Withdrawal, attempt: WithdrawalAttempt, acceptance: Acceptance): Promise<boolean> {
    try {
      return await this.transitions.accepted(withdrawal, attempt, acceptance);
    } catch (error) {
      if (!(error instanceof RecordTaken)) throw error;
      const reason = 'the exchange named a record of another withdrawal';
      const answer = { ...acceptance.answer, reason, takenRecord: error.exchangeId };
      return this.transitions.unknown(withdrawal, attempt, answer, acceptance.now);
    }
  }
}

/** The outcome of one submission, and the refusal that the caller gets when the outcome is a definite refusal. */
interface End {
  outcome: SubmitOutcome;
  refusal: Refusal | null;
  time: DatabaseTime;
}

/**
 * Returns the pause when the exchange refused because of its rate limit, or when nothing was sent because a pause that
 * it demanded is not over; else null. No money moved, and the quote can be executed after the pause.
 */
function pauseOf(outcome: SubmitOutcome): ExchangePause | null {
  const { kind } = outcome;
  if (kind === 'not_sent') return outcome.retryAfterMs === undefined ? null : new ExchangePause(outcome.retryAfterMs);
  const isLimited = kind === 'rejected' && outcome.code === 'WITHDRAWAL_RATE_LIMIT_EXCEEDED';
  return isLimited ? new ExchangePause(outcome.retryAfterMs) : null;
}

/** Whether the outcome proves that no money has moved. */
function isDefinite({ kind }: SubmitOutcome): boolean {
  return kind !== 'accepted' && kind !== 'unknown';
}

/**
 * Returns the withdrawal after its submission. It sends no query to the database, because a failed query would turn a
 * sent withdrawal into an error. It reports only a recorded refusal, because a repeat of the call must get the same
 * refusal.
 */
function afterSubmission(
  withdrawal: Withdrawal,
  outcome: SubmitOutcome,
  refusal: Refusal | null,
  recorded: boolean,
): Withdrawal {
  if (outcome.kind === 'accepted') return { ...withdrawal, state: 'submitted', exchangeId: outcome.exchangeId };
  if (!recorded || outcome.kind === 'unknown') return { ...withdrawal, state: 'unknown' };
  if (refusal === null) return { ...withdrawal, state: 'created' };
  const { code: errorCode, message: errorMessage, result: errorResult } = refusal;
  const state = outcome.kind === 'rejected' ? 'rejected' : 'verification_required';
  return { ...withdrawal, state, errorCode, errorMessage, errorResult };
}

function capabilityOf({ withdrawals }: ExchangeSession): WithdrawalCapability {
  if (withdrawals === undefined) throw new ProviderError('Withdrawals of this exchange are not supported');
  return withdrawals;
}
