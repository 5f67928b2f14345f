import { ExchangeError, type ExchangeSession, type ExchangeWithdrawal } from '#exchange';
import { CannotOpen } from '#platform/crypto';
import type { Config } from '#platform/config';
import type { DatabaseTime } from '#platform/database';
import { RepeatedLines, logFailedWork } from '#platform/errors';
import type { Logger } from '#platform/logging';
import type { WalletSessions } from '#wallet';
import { WalletNotFound } from '#wallet';
import type { RestoredDatabase } from '../epoch/restored-database.js';
import { RecordTaken } from './execution.errors.js';
import type { ProveAbsence } from './prove-absence.js';
import { KNOWN_RECORD_LOOKBACK_MS, RECORD_LOOKBACK_MS } from './record-lookback.js';
import { EXPIRED } from './refusal.js';
import type { WithdrawalAttempt } from './withdrawal-attempt.entity.js';
import type { WithdrawalTransitions } from './withdrawal-transitions.js';
import type { WithdrawalStore } from './withdrawal-store.js';
import type { Withdrawal } from './withdrawal.entity.js';

/** Listings of the exchange without the withdrawal that prove its absence. */
const CLEAN_LISTINGS = 2;
/** How long an exchange's ledger may take to show what it shows late. */
const EVIDENCE_WAIT_MS = 1_800_000;
/** Between two looks at a withdrawal that the exchange is working on: grows from the first to the last. */
const FOLLOW_FIRST_MS = 2_000;
const FOLLOW_LAST_MS = 60_000;
/** After an exchange could not be asked. */
const RETRY_FIRST_MS = 5_000;
const RETRY_LAST_MS = 300_000;

/** An exchange that could not be asked for longer will not answer before an operator does something. */
const UNANSWERED_MAX_MS = 7 * 86_400_000;

/** An exchange that does not list what it accepted is one cause, however many withdrawals wait for it. */
const lines = new RepeatedLines();

/** What settling a withdrawal is done with. */
export interface SettlementParts {
  store: WithdrawalStore;
  transitions: WithdrawalTransitions;
  sessions: WalletSessions;
  absence: ProveAbsence;
  restored: RestoredDatabase;
  config: Config;
  logger: Logger;
}

/** One look at one withdrawal, by the database's time. */
export class Settlement {
  private readonly store: WithdrawalStore;
  private readonly transitions: WithdrawalTransitions;
  private readonly config: Config;
  private readonly logger: Logger;

  constructor(
    private readonly parts: SettlementParts,
    private readonly time: DatabaseTime,
  ) {
    ({ store: this.store, transitions: this.transitions, config: this.config, logger: this.logger } = parts);
  }

  async run(withdrawalId: string): Promise<void> {
    const withdrawal = await this.store.find(withdrawalId);
    if (withdrawal === null) return;
    const attempt = await this.store.findLiveAttempt(withdrawalId);
    switch (withdrawal.state) {
      case 'created':
      case 'verification_required':
        return this.closeExpired(withdrawal);
      case 'submitting':
        return this.giveUpLease(withdrawal, attempt);
      case 'unknown':
        return this.ask(withdrawal, (session) => this.resolve(session, withdrawal, required(attempt)));
      case 'submitted':
        return this.ask(withdrawal, (session) => this.follow(session, withdrawal, attempt));
      default:
        return;
    }
  }

  /** Never sent, and after its quote's end it never will be. */
  private async closeExpired(w: Withdrawal): Promise<void> {
    if (await this.parts.restored.isForgotten(w.createdAt))
      return this.review(w, 'it may have been sent before the restore');
    const now = this.time.now();
    const expiresAt = await this.store.quoteExpiry(w.quoteId);
    if (expiresAt > now) return this.transitions.lookAgain(w, expiresAt);
    await this.transitions.neverSent(w, EXPIRED, now);
  }

  /** Whoever was sending is gone or too slow. It may have been sent: from here on only the exchange can tell. */
  private async giveUpLease(w: Withdrawal, attempt: WithdrawalAttempt | null): Promise<void> {
    const now = this.time.now();
    const sending = required(attempt);
    if (sending.leaseUntil > now) return this.transitions.lookAgain(w, sending.leaseUntil);
    await this.transitions.unknown(w, sending, { reason: 'lease expired' }, now);
  }

  private async resolve(session: ExchangeSession, w: Withdrawal, attempt: WithdrawalAttempt): Promise<void> {
    const now = this.time.now();
    if (attempt.answer?.['takenRecord'] !== undefined) {
      return this.review(w, 'the exchange named a record of another withdrawal');
    }
    const records = await this.seek(session, w, attempt);
    const ids = records.map(({ exchangeId }) => exchangeId);
    const free = new Set(await this.store.unlinked(w, attempt, ids));
    const found = records.filter(({ exchangeId }) => free.has(exchangeId));
    await this.store.recordSeen(attempt.id, [...free], now);
    const hit = found.find(({ isCertain }) => isCertain);
    if (hit !== undefined && found.length > 1) return this.review(w, 'several records at the exchange fit');
    // A record that has failed may be an older one that the history has only now shown: ours may still come.
    const isEarly = now < this.provableFrom(attempt);
    const hasFailed = hit?.status === 'failed' || hit?.status === 'canceled';
    if (hit !== undefined && !hasFailed) return this.link(w, attempt, hit, isEarly);
    if (hit === undefined && found.length > 0 && !isEarly)
      return this.review(w, 'a record at the exchange may or may not be this one');
    await this.weighAbsence(session, w, attempt, { now, failed: hit ?? null });
  }

  /** Links the one record that fits, unless an equal withdrawal of another wallet may be the one that it belongs to. */
  private async link(
    w: Withdrawal,
    attempt: WithdrawalAttempt,
    hit: ExchangeWithdrawal,
    isEarly: boolean,
  ): Promise<void> {
    const rivalry = attempt.class === 'by_match' ? await this.store.rivalry(w, attempt, hit.exchangeId) : 'none';
    if (rivalry === 'same_account') return this.review(w, 'the record fits a withdrawal of another wallet as well');
    if (rivalry === 'undecided') {
      if (!isEarly) return this.review(w, 'the record may belong to a withdrawal of another wallet');
      return this.transitions.lookAgain(w, this.pause(w, FOLLOW_FIRST_MS, FOLLOW_LAST_MS));
    }
    try {
      await this.transitions.accepted(w, attempt, hit.exchangeId, attempt.answer ?? {}, this.time.now());
    } catch (error) {
      // Another withdrawal was linked to it meanwhile: the next look finds it taken.
      if (!(error instanceof RecordTaken)) throw error;
      await this.transitions.lookAgain(w, this.pause(w, RETRY_FIRST_MS, RETRY_LAST_MS));
    }
  }

  /** From then on the exchange can no longer accept the request, and its history shows what it has accepted. */
  private provableFrom({ submissionDeadline, startedAt }: WithdrawalAttempt): Date {
    const { WITHDRAWAL_ABSENCE_MS, WITHDRAWAL_CLOCK_SKEW_MS } = this.config.values;
    if (submissionDeadline === null) return new Date(startedAt.getTime() + WITHDRAWAL_ABSENCE_MS);
    return new Date(submissionDeadline.getTime() + WITHDRAWAL_CLOCK_SKEW_MS);
  }

  /**
   * Absence counts only once the exchange can no longer accept the request, and only when it is seen twice.
   * @param failed the record of a failure that is ours, once it is proven that nothing else is.
   */
  private async weighAbsence(
    session: ExchangeSession,
    w: Withdrawal,
    attempt: WithdrawalAttempt,
    { now, failed }: { now: Date; failed: ExchangeWithdrawal | null },
  ): Promise<void> {
    const { WITHDRAWAL_CLEAN_LISTING_GAP_MS: gapMs } = this.config.values;
    const provableFrom = this.provableFrom(attempt);
    if (now < provableFrom) {
      return this.transitions.lookAgain(w, earlier(provableFrom, this.pause(w, RETRY_FIRST_MS, gapMs)));
    }
    const lastAt = attempt.lastCleanListingAt;
    if (lastAt !== null && now.getTime() - lastAt.getTime() < gapMs) {
      return this.transitions.lookAgain(w, new Date(lastAt.getTime() + gapMs));
    }
    if (attempt.cleanListings + 1 < CLEAN_LISTINGS) {
      return this.transitions.absent(w, attempt, now, new Date(now.getTime() + gapMs));
    }
    if (attempt.submissionDeadline === null || session.withdrawals?.movements !== undefined) {
      const failedIds = failed === null ? [] : [failed.exchangeId];
      const evidence = await this.parts.absence.execute({ session, withdrawal: w, attempt, failedIds });
      if (!evidence.isProven) {
        if (!evidence.mayChange || this.hasWaitedForEvidence(attempt))
          return this.review(w, `not in the history, but ${evidence.reason}`);
        return this.transitions.lookAgain(w, new Date(now.getTime() + gapMs));
      }
    }
    if (await this.parts.restored.isForgotten(attempt.startedAt)) {
      return this.review(w, 'not in the history of the exchange, but it may have been sent again before the restore');
    }
    if (failed !== null) return this.link(w, attempt, failed, false);
    await this.transitions.notExecuted(w, attempt, now);
    this.logger.warn({ withdrawalId: w.id }, 'withdrawal was not executed');
  }

  /** The wait begins with a look of ours: an hour in which no worker looked does not count. */
  private hasWaitedForEvidence(attempt: WithdrawalAttempt): boolean {
    const lookedAt = attempt.lastCleanListingAt?.getTime() ?? 0;
    const from = Math.max(this.provableFrom(attempt).getTime(), lookedAt);
    return this.time.now().getTime() > from + EVIDENCE_WAIT_MS;
  }

  private async follow(session: ExchangeSession, w: Withdrawal, attempt: WithdrawalAttempt | null): Promise<void> {
    const found = await this.seek(session, w, attempt);
    const seen = found.find(({ exchangeId }) => exchangeId === w.exchangeId) ?? null;
    if (seen === null) {
      const again = lines.count(session.exchange);
      const facts = { withdrawalId: w.id, exchange: session.exchange, again };
      if (again !== null) this.logger.warn(facts, 'the exchange does not list an accepted withdrawal');
      return this.unconfirmed(w, 'the exchange does not list the accepted withdrawal');
    }
    if (seen.status === 'pending') {
      return this.transitions.progressed(w, seen, this.pause(w, FOLLOW_FIRST_MS, FOLLOW_LAST_MS));
    }
    await this.transitions.settled(w, seen, seen.status, this.time.now());
    this.logger.info({ withdrawalId: w.id, status: seen.status }, 'withdrawal settled');
  }

  /** One that an operator has found may have been sent in a life that the database has forgotten: then without an attempt. */
  private seek(
    session: ExchangeSession,
    w: Withdrawal,
    attempt: WithdrawalAttempt | null,
  ): Promise<ExchangeWithdrawal[]> {
    const startedAt = attempt?.startedAt ?? w.createdAt;
    // Nothing else has its id or its reference, so that its time does not matter.
    const isCertain = w.exchangeId !== null || (attempt !== null && attempt.class !== 'by_match');
    const lookbackMs = isCertain ? KNOWN_RECORD_LOOKBACK_MS : RECORD_LOOKBACK_MS;
    if (session.withdrawals === undefined) throw new Error(`${session.exchange} has no withdrawals`);
    return session.withdrawals.find({
      asset: w.asset,
      request: attempt?.request ?? {},
      clientRef: attempt?.clientRef ?? null,
      exchangeId: w.exchangeId,
      notBefore: new Date(startedAt.getTime() - lookbackMs),
    });
  }

  private async review(w: Withdrawal, reason: string): Promise<void> {
    await this.transitions.toReview(w, this.time.now());
    this.logger.error({ withdrawalId: w.id, reason }, 'withdrawal needs an operator');
  }

  /** What an exchange does not show for long is for an operator to find out: nothing stays open for ever. */
  private async unconfirmed(w: Withdrawal, reason: string): Promise<void> {
    const now = this.time.now();
    const since = w.unconfirmedSince?.getTime() ?? now.getTime();
    const limitMs = this.config.values.WITHDRAWAL_UNCONFIRMED_SECONDS * 1_000;
    if (now.getTime() - since >= limitMs) return this.review(w, reason);
    await this.transitions.unconfirmed(w, now, this.pause(w, FOLLOW_FIRST_MS, RETRY_LAST_MS));
  }

  /** Nothing is proven. */
  private async unanswered(w: Withdrawal, error: Error): Promise<void> {
    this.logFailure(w, error, 'the exchange could not be asked about a withdrawal');
    const now = this.time.now();
    const since = w.unansweredSince?.getTime() ?? now.getTime();
    if (now.getTime() - since >= UNANSWERED_MAX_MS) return this.review(w, 'the exchange could not be asked for a week');
    await this.transitions.unanswered(w, now, this.pause(w, RETRY_FIRST_MS, RETRY_LAST_MS));
  }

  private async ask(w: Withdrawal, work: (session: ExchangeSession) => Promise<void>): Promise<void> {
    try {
      await work(await this.parts.sessions.openVersion(w.walletId, w.credentialVersion));
    } catch (error) {
      // Only an operator can find out any more.
      if (error instanceof WalletNotFound) return this.review(w, 'the credentials that it was made with are erased');
      // A key of the vault is missing, or the row was altered.
      if (error instanceof CannotOpen) return this.unanswered(w, error);
      if (!(error instanceof ExchangeError)) throw error;
      if (error.kind === 'unavailable' || error.kind === 'rate_limited') return this.unanswered(w, error);
      this.logFailure(w, error, 'the exchange refuses to answer about a withdrawal');
      await this.unconfirmed(w, `the exchange refuses to answer: ${error.kind}`);
    }
  }

  /** An outage of an exchange meets every open withdrawal again and again, and must not hide `withdrawal needs an operator`. */
  private logFailure({ id: withdrawalId }: Withdrawal, error: Error, message: string): void {
    logFailedWork(this.logger, error, message, { withdrawalId });
  }

  private pause(w: Withdrawal, firstMs: number, lastMs: number): Date {
    const ms = Math.min(lastMs, firstMs * 2 ** Math.min(w.checkCount, 20));
    return new Date(this.time.now().getTime() + ms);
  }
}

function earlier(a: Date, b: Date): Date {
  return a < b ? a : b;
}

function required(attempt: WithdrawalAttempt | null): WithdrawalAttempt {
  if (attempt === null) throw new Error('a withdrawal that was sent has an attempt');
  return attempt;
}
