import { ExchangeError, type ExchangeSession, type ExchangeWithdrawal } from '#exchange';
import { CannotOpen, KeysUnavailable } from '#platform/crypto';
import type { Config } from '#platform/config';
import type { DatabaseTime } from '#platform/database';
import { logFailedWork } from '#platform/errors';
import { logRepeated, type Logger } from '#platform/logging';
import type { WalletSessions } from '#wallet';
import { WalletNotFound } from '#wallet';
import type { RestoredDatabase } from '../epoch/restored-database.js';
import { RecordTaken } from '../withdrawals/execution.errors.js';
import { endOf, hasReference, verdictOn, type IdVerdict } from './named-record.js';
import type { ProveAbsence } from './prove-absence.js';
import {
  hasMoved,
  KNOWN_RECORD_LOOKBACK_MS,
  RECORD_LOOKBACK_MS,
  type Candidates,
} from '../withdrawals/exchange-records.js';
import type { RecordCorrections } from '../withdrawals/record-corrections.js';
import { EXPIRED } from '../withdrawals/refusal.js';
import type { WithdrawalAttempt } from '../withdrawals/withdrawal-attempt.entity.js';
import type { WithdrawalTransitions } from '../withdrawals/withdrawal-transitions.js';
import type { WithdrawalStore } from '../withdrawals/withdrawal-store.js';
import type { Withdrawal } from '../withdrawals/withdrawal.entity.js';

/** Number of listings without the withdrawal that are needed to prove its absence. */
const CLEAN_LISTINGS = 2;
/**
 * Pause between two checks of a withdrawal that the exchange is processing; it doubles from the first value to the
 * last.
 */
const FOLLOW_FIRST_MS = 2_000;
const FOLLOW_LAST_MS = 60_000;
/** Pause after the exchange could not be queried; it doubles from the first value to the last. */
const RETRY_FIRST_MS = 5_000;
const RETRY_LAST_MS = 300_000;

/** Longest time for which an exchange may be unreachable before an operator gets the withdrawal. */
const UNANSWERED_MAX_MS = 7 * 86_400_000;

const NAMED_WRONGLY = 'the exchange named a record of another withdrawal';

export interface SettlementParts {
  store: WithdrawalStore;
  transitions: WithdrawalTransitions;
  corrections: Pick<RecordCorrections, 'correct'>;
  sessions: WalletSessions;
  absence: ProveAbsence;
  restored: RestoredDatabase;
  config: Config;
  logger: Logger;
}

/** The records that may be the withdrawal's. */
interface FoundRecords {
  /** A record that matches with certainty; undefined = there is none. */
  hit: ExchangeWithdrawal | undefined;
  /** The matching records that are linked to no withdrawal, with `hit`. */
  found: readonly ExchangeWithdrawal[];
  ofOtherCredentials: Candidates['ofOtherCredentials'];
  /** Whether absence cannot be proven yet. */
  isEarly: boolean;
}

/** One check of one withdrawal, by the database's clock. */
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

  /** Closes a withdrawal that was not sent, after its quote has expired. */
  private async closeExpired(withdrawal: Withdrawal): Promise<void> {
    if (await this.parts.restored.isForgotten(withdrawal.createdAt))
      return this.review(withdrawal, 'the withdrawal may have been sent before the restore');
    const now = this.time.now();
    const expiresAt = await this.store.quoteExpiry(withdrawal.quoteId);
    if (expiresAt > now) return this.transitions.checkLater(withdrawal, expiresAt);
    await this.transitions.neverSent(withdrawal, EXPIRED, now);
  }

  /** Ends a lease that has run out. The withdrawal may have been sent, so only the exchange can settle it now. */
  private async giveUpLease(withdrawal: Withdrawal, attempt: WithdrawalAttempt | null): Promise<void> {
    const now = this.time.now();
    const sending = required(attempt);
    if (sending.leaseUntil > now) return this.transitions.checkLater(withdrawal, sending.leaseUntil);
    await this.transitions.unknown(withdrawal, sending, { reason: 'lease expired' }, now);
  }

  private async resolve(session: ExchangeSession, withdrawal: Withdrawal, attempt: WithdrawalAttempt): Promise<void> {
    const now = this.time.now();
    const isNamedWrongly = attempt.answer?.['takenRecord'] !== undefined;
    if (isNamedWrongly && !hasReference(attempt)) return this.review(withdrawal, NAMED_WRONGLY);
    const records = await this.seek(session, withdrawal, attempt);
    const ids = records.map(({ exchangeId }) => exchangeId);
    const { unlinked, ofOtherCredentials } = await this.store.findCandidates(withdrawal, attempt, ids);
    const free = new Set(unlinked);
    const found = records.filter(({ exchangeId }) => free.has(exchangeId));
    await this.store.recordSeen(attempt.id, [...free], now);
    const hit = found.find(({ isCertain }) => isCertain);
    const isEarly = now < this.provableFrom(attempt);
    const doubt = doubtAbout({ hit, found, ofOtherCredentials, isEarly });
    if (doubt !== null) return this.review(withdrawal, doubt);
    // A failed record may be that of an older withdrawal that the history shows only now. Then the record of this
    // withdrawal may still appear. So a failed record is linked only when `weighAbsence` finds no other execution.
    if (hit !== undefined && hasMoved(hit)) return this.link(withdrawal, attempt, { hit, isEarly });
    if (isNamedWrongly && !isEarly) return this.review(withdrawal, NAMED_WRONGLY);
    await this.weighAbsence(session, withdrawal, attempt, { now, failed: hit ?? null });
  }

  /** Links the withdrawal to its record, unless the record may belong to an equal withdrawal of another wallet. */
  private async link(
    withdrawal: Withdrawal,
    attempt: WithdrawalAttempt,
    { hit, isEarly }: { hit: ExchangeWithdrawal; isEarly: boolean },
  ): Promise<void> {
    const rivalry =
      attempt.class === 'by_match' ? await this.store.rivalry(withdrawal, attempt, hit.exchangeId) : 'none';
    if (rivalry === 'same_account')
      return this.review(withdrawal, 'the record fits a withdrawal of another wallet as well');
    if (rivalry === 'undecided') {
      if (!isEarly) return this.review(withdrawal, 'the record may belong to a withdrawal of another wallet');
      return this.transitions.checkLater(withdrawal, this.pause(withdrawal, FOLLOW_FIRST_MS, FOLLOW_LAST_MS));
    }
    try {
      const { exchangeId } = hit;
      await this.transitions.accepted(withdrawal, attempt, {
        exchangeId,
        answer: attempt.answer ?? {},
        now: this.time.now(),
      });
    } catch (error) {
      // Another withdrawal was linked to the record in the meantime. The next check excludes the record.
      if (!(error instanceof RecordTaken)) throw error;
      await this.transitions.checkLater(withdrawal, this.pause(withdrawal, RETRY_FIRST_MS, RETRY_LAST_MS));
    }
  }

  /**
   * Returns the time from which absence can be proven: the exchange no longer accepts the request, and its history
   * would show the withdrawal if the exchange had accepted it.
   */
  private provableFrom({ submissionDeadline, startedAt }: WithdrawalAttempt): Date {
    const { WITHDRAWAL_ABSENCE_MS, WITHDRAWAL_CLOCK_SKEW_MS } = this.config.constants;
    if (submissionDeadline === null) return new Date(startedAt.getTime() + WITHDRAWAL_ABSENCE_MS);
    return new Date(submissionDeadline.getTime() + WITHDRAWAL_CLOCK_SKEW_MS);
  }

  /**
   * Decides whether the withdrawal is absent. Absence counts only when the exchange can no longer accept the request
   * and two listings do not contain the withdrawal.
   * @param failed a failed record at the exchange. It counts as this withdrawal's record when no other record matches.
   */
  private async weighAbsence(
    session: ExchangeSession,
    withdrawal: Withdrawal,
    attempt: WithdrawalAttempt,
    { now, failed }: { now: Date; failed: ExchangeWithdrawal | null },
  ): Promise<void> {
    const { WITHDRAWAL_CLEAN_LISTING_GAP_MS: gapMs } = this.config.constants;
    const provableFrom = this.provableFrom(attempt);
    if (now < provableFrom) {
      return this.transitions.checkLater(
        withdrawal,
        earlier(provableFrom, this.pause(withdrawal, RETRY_FIRST_MS, gapMs)),
      );
    }
    const lastAt = attempt.lastCleanListingAt;
    if (lastAt !== null && now.getTime() - lastAt.getTime() < gapMs) {
      return this.transitions.checkLater(withdrawal, new Date(lastAt.getTime() + gapMs));
    }
    if (attempt.cleanListings + 1 < CLEAN_LISTINGS) {
      return this.transitions.absent(withdrawal, attempt, now, new Date(now.getTime() + gapMs));
    }
    if (attempt.submissionDeadline === null || session.withdrawals?.movements !== undefined) {
      const failedIds = failed === null ? [] : [failed.exchangeId];
      const evidence = await this.parts.absence.execute({ session, withdrawal, attempt, failedIds });
      if (!evidence.isProven) {
        if (!evidence.mayChange || this.hasWaitedForEvidence(attempt))
          return this.review(withdrawal, `the history does not contain the withdrawal, but ${evidence.reason}`);
        return this.transitions.checkLater(withdrawal, new Date(now.getTime() + gapMs));
      }
    }
    if (await this.parts.restored.isForgotten(attempt.startedAt)) {
      return this.review(
        withdrawal,
        'the history does not contain the withdrawal, but it may have been sent again before the restore',
      );
    }
    if (failed !== null) return this.link(withdrawal, attempt, { hit: failed, isEarly: false });
    await this.transitions.notExecuted(withdrawal, attempt, now);
    this.logger.warn({ withdrawalId: withdrawal.id }, 'the exchange did not execute a withdrawal');
  }

  /**
   * Whether the wait for more evidence is over. The wait begins with the last clean listing, so that time without a
   * running worker does not count.
   */
  private hasWaitedForEvidence(attempt: WithdrawalAttempt): boolean {
    const listedAt = attempt.lastCleanListingAt?.getTime() ?? 0;
    const from = Math.max(this.provableFrom(attempt).getTime(), listedAt);
    return this.time.now().getTime() > from + this.config.constants.WITHDRAWAL_EVIDENCE_WAIT_MS;
  }

  private async follow(
    session: ExchangeSession,
    withdrawal: Withdrawal,
    attempt: WithdrawalAttempt | null,
  ): Promise<void> {
    const found = await this.seek(session, withdrawal, attempt);
    const seen = found.find(({ exchangeId }) => exchangeId === withdrawal.exchangeId) ?? null;
    if (seen?.status === 'pending') {
      return this.transitions.progressed(withdrawal, seen, this.pause(withdrawal, FOLLOW_FIRST_MS, FOLLOW_LAST_MS));
    }
    const verdict = await this.judgeId(session, withdrawal, attempt);
    if (attempt !== null && verdict.kind === 'wrong') return this.correct(withdrawal, attempt, verdict.record);
    if (verdict.kind === 'several')
      return this.review(withdrawal, 'several records at the exchange have our reference');
    const end = endOf(seen, verdict);
    if ('doubt' in end) {
      const { id: withdrawalId } = withdrawal;
      const { exchange } = session;
      const facts = { withdrawalId, exchange, status: seen?.rawStatus };
      logRepeated(this.logger, 'warn', { message: end.doubt, cause: exchange, facts });
      return this.unconfirmed(withdrawal, end.doubt);
    }
    await this.transitions.settled(withdrawal, end.seen, end.status, this.time.now());
    this.logger.info({ withdrawalId: withdrawal.id, status: end.status }, 'withdrawal settled');
  }

  /**
   * Compares the id that the exchange gave with the records that have our reference, where records show it. The record
   * that an operator has named is never questioned.
   */
  private async judgeId(
    session: ExchangeSession,
    withdrawal: Withdrawal,
    attempt: WithdrawalAttempt | null,
  ): Promise<IdVerdict> {
    if (attempt === null || !hasReference(attempt) || attempt.answer?.['byOperator'] === true) return { kind: 'right' };
    const records = await this.seek(session, { ...withdrawal, exchangeId: null }, attempt);
    return verdictOn(withdrawal.exchangeId, records, session.withdrawals?.mayChangeReference === true);
  }

  /** Links the withdrawal to the record with our reference, because the exchange gave the id of another record. */
  private async correct(
    withdrawal: Withdrawal,
    attempt: WithdrawalAttempt,
    { exchangeId }: ExchangeWithdrawal,
  ): Promise<void> {
    const { id: withdrawalId, exchangeId: wrongId } = withdrawal;
    try {
      if (!(await this.parts.corrections.correct(withdrawal, attempt, exchangeId, this.time.now()))) return;
      this.logger.error({ withdrawalId, wrongId, exchangeId }, 'the exchange gave the id of another record');
    } catch (error) {
      if (!(error instanceof RecordTaken)) throw error;
      await this.review(withdrawal, 'the record with our reference is linked to another withdrawal');
    }
  }

  /** Searches the exchange's history. A withdrawal that an operator has linked after a restore may have no attempt. */
  private async seek(
    session: ExchangeSession,
    withdrawal: Withdrawal,
    attempt: WithdrawalAttempt | null,
  ): Promise<ExchangeWithdrawal[]> {
    const startedAt = attempt?.startedAt ?? withdrawal.createdAt;
    // A record with our id or reference is the withdrawal, however old it is. A record that matches only by amount and
    // address may be another withdrawal, so the search for it does not go back as far.
    const isCertain = withdrawal.exchangeId !== null || (attempt !== null && attempt.class !== 'by_match');
    const lookbackMs = isCertain ? KNOWN_RECORD_LOOKBACK_MS : RECORD_LOOKBACK_MS;
    if (session.withdrawals === undefined) throw new Error(`${session.exchange} has no withdrawals`);
    const found = await session.withdrawals.find({
      asset: withdrawal.asset,
      network: withdrawal.network,
      request: attempt?.request ?? {},
      clientRef: attempt?.clientRef ?? null,
      exchangeId: withdrawal.exchangeId,
      notBefore: new Date(startedAt.getTime() - lookbackMs),
    });
    const alikeSince = new Date(startedAt.getTime() - RECORD_LOOKBACK_MS);
    return onePerId(found).filter(({ isOnlyAlike, at }) => isOnlyAlike !== true || at >= alikeSince);
  }

  private async review(withdrawal: Withdrawal, reason: string): Promise<void> {
    await this.transitions.toReview(withdrawal, this.time.now());
    this.logger.error({ withdrawalId: withdrawal.id, reason }, 'withdrawal needs an operator');
  }

  /**
   * Leaves the withdrawal to an operator when the exchange has not shown it with a documented status for
   * WITHDRAWAL_UNCONFIRMED_SECONDS, so that no withdrawal stays open for ever.
   */
  private async unconfirmed(withdrawal: Withdrawal, reason: string): Promise<void> {
    const now = this.time.now();
    const since = withdrawal.unconfirmedSince?.getTime() ?? now.getTime();
    const limitMs = this.config.values.WITHDRAWAL_UNCONFIRMED_SECONDS * 1_000;
    if (now.getTime() - since >= limitMs) return this.review(withdrawal, reason);
    await this.transitions.unconfirmed(withdrawal, now, this.pause(withdrawal, FOLLOW_FIRST_MS, RETRY_LAST_MS));
  }

  /**
   * Plans another check after the exchange could not be queried, because that proves nothing. An operator gets the
   * withdrawal after a week.
   */
  private async unanswered(withdrawal: Withdrawal, error: Error): Promise<void> {
    this.logFailure(withdrawal, error, 'the exchange could not be queried about a withdrawal');
    const now = this.time.now();
    const since = withdrawal.unansweredSince?.getTime() ?? now.getTime();
    if (now.getTime() - since >= UNANSWERED_MAX_MS)
      return this.review(withdrawal, 'the exchange could not be queried for a week');
    await this.transitions.unanswered(withdrawal, now, this.pause(withdrawal, RETRY_FIRST_MS, RETRY_LAST_MS));
  }

  private async ask(withdrawal: Withdrawal, work: (session: ExchangeSession) => Promise<void>): Promise<void> {
    try {
      await work(await this.parts.sessions.openVersion(withdrawal.walletId, withdrawal.credentialVersion));
    } catch (error) {
      // Without the credentials, only an operator can find out the outcome.
      if (error instanceof WalletNotFound)
        return this.review(withdrawal, 'the credentials of the withdrawal are erased');
      // The credentials cannot be opened, because a key of the vault is missing or unavailable, or the row was altered.
      // The check is repeated, because an operator may repair that.
      if (error instanceof CannotOpen || error instanceof KeysUnavailable) return this.unanswered(withdrawal, error);
      if (!(error instanceof ExchangeError)) throw error;
      if (error.kind === 'unavailable' || error.kind === 'rate_limited') return this.unanswered(withdrawal, error);
      this.logFailure(withdrawal, error, 'the exchange refuses a query about a withdrawal');
      await this.unconfirmed(withdrawal, `the exchange refuses the query: ${error.kind}`);
    }
  }

  /**
   * Limits the number of log lines. In an outage, the checks of all open withdrawals fail, and their lines must not
   * hide the line `withdrawal needs an operator`.
   */
  private logFailure({ id: withdrawalId }: Withdrawal, error: Error, message: string): void {
    logFailedWork(this.logger, error, message, { withdrawalId });
  }

  private pause(withdrawal: Withdrawal, firstMs: number, lastMs: number): Date {
    const ms = Math.min(lastMs, firstMs * 2 ** Math.min(withdrawal.checkCount, 20));
    return new Date(this.time.now().getTime() + ms);
  }
}

/** Returns why only an operator can decide which record is the withdrawal's; null when the records leave no doubt. */
function doubtAbout({ hit, found, ofOtherCredentials, isEarly }: FoundRecords): string | null {
  const count = found.length + ofOtherCredentials.length;
  if (hit !== undefined) return count > 1 ? 'several records at the exchange fit this withdrawal' : null;
  if (count === 0 || isEarly) return null;
  if (found.length > 0) return 'a record at the exchange may or may not be this withdrawal';
  return 'the record that fits is linked to a withdrawal with other credentials';
}

/**
 * Returns each record once. A record that is listed twice, because pages overlap, would look like two records that fit.
 */
function onePerId(records: readonly ExchangeWithdrawal[]): ExchangeWithdrawal[] {
  return records.filter(
    ({ exchangeId }, index) => records.findIndex((other) => other.exchangeId === exchangeId) === index,
  );
}

function earlier(a: Date, b: Date): Date {
  return a < b ? a : b;
}

function required(attempt: WithdrawalAttempt | null): WithdrawalAttempt {
  if (attempt === null) throw new Error('a withdrawal that was sent has no attempt');
  return attempt;
}
