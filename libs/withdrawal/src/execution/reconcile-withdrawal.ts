import { Inject, Injectable } from '@nestjs/common';
import { ExchangeError, type ExchangeSession, type ExchangeWithdrawal } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { LOGGER, type Logger } from '#platform/logging';
import { WalletNotFound, Wallets, WalletSessions } from '#wallet';
import { RestoredDatabase } from '../epoch/restored-database.js';
import { EXPIRED } from './refusal.js';
import type { WithdrawalAttempt } from './withdrawal-attempt.entity.js';
import { WithdrawalLedger } from './withdrawal-ledger.js';
import { WithdrawalStore } from './withdrawal-store.js';
import type { Withdrawal } from './withdrawal.entity.js';

/** Listings of the exchange without the withdrawal that prove its absence. */
const CLEAN_LISTINGS = 2;
/** The times of exchanges' records may be whole seconds, cut off. */
const RECORD_PRECISION_MS = 1_000;
/** Between two looks at a withdrawal that the exchange is working on: grows from the first to the last. */
const FOLLOW_FIRST_MS = 2_000;
const FOLLOW_LAST_MS = 60_000;
/** After an exchange could not be asked. */
const RETRY_FIRST_MS = 5_000;
const RETRY_LAST_MS = 300_000;

/**
 * Settles one withdrawal from the exchange's history: what a crash, an unknown outcome or time has left open. Safe to
 * run twice and at once; it never sends.
 */
@Injectable()
export class ReconcileWithdrawal {
  constructor(
    private readonly store: WithdrawalStore,
    private readonly ledger: WithdrawalLedger,
    private readonly sessions: WalletSessions,
    private readonly wallets: Wallets,
    private readonly restored: RestoredDatabase,
    private readonly clock: Clock,
    private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async execute(withdrawalId: string): Promise<void> {
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
    if (await this.restored.isForgotten(w.createdAt)) return this.review(w, 'it may have been sent before the restore');
    const now = this.clock.now();
    const expiresAt = await this.store.quoteExpiry(w.quoteId);
    if (expiresAt > now) return this.ledger.lookAgain(w, expiresAt);
    await this.ledger.neverSent(w, EXPIRED, now);
  }

  /** Whoever was sending is gone or too slow. It may have been sent: from here on only the exchange can tell. */
  private async giveUpLease(w: Withdrawal, attempt: WithdrawalAttempt | null): Promise<void> {
    const now = this.clock.now();
    const sending = required(attempt);
    if (sending.leaseUntil > now) return this.ledger.lookAgain(w, sending.leaseUntil);
    await this.ledger.unknown(w, sending, { reason: 'lease expired' }, now);
  }

  private async resolve(session: ExchangeSession, w: Withdrawal, attempt: WithdrawalAttempt): Promise<void> {
    const now = this.clock.now();
    const found = await this.store.unlinked(w, attempt, await this.seek(session, w, attempt));
    // Of a history that could not be read before, an older record may be another payment of the same amount.
    const notBefore = new Date(attempt.startedAt.getTime() - RECORD_PRECISION_MS);
    const isNew = ({ at }: ExchangeWithdrawal): boolean => attempt.knownIds !== null || at > notBefore;
    const certain = found.filter((record) => record.isCertain && isNew(record));
    const [hit] = certain;
    if (hit !== undefined && found.length > 1) return this.review(w, 'several records at the exchange fit');
    // A record that has failed may be an older one that the history has only now shown: ours may still come.
    const isEarly = now < this.provableFrom(attempt);
    if (hit !== undefined && !(isEarly && (hit.status === 'failed' || hit.status === 'canceled'))) {
      await this.ledger.accepted(w, attempt, hit.exchangeId, attempt.answer ?? {}, now);
      return;
    }
    if (found.length > 0 && !isEarly) return this.review(w, 'a record at the exchange may or may not be this one');
    await this.weighAbsence(session, w, attempt, now);
  }

  /** From then on the exchange can no longer accept the request, and its history shows what it has accepted. */
  private provableFrom({ notAfter, startedAt }: WithdrawalAttempt): Date {
    const { WITHDRAWAL_ABSENCE_MS, WITHDRAWAL_CLOCK_SKEW_MS } = this.config.values;
    if (notAfter === null) return new Date(startedAt.getTime() + WITHDRAWAL_ABSENCE_MS);
    return new Date(notAfter.getTime() + WITHDRAWAL_CLOCK_SKEW_MS);
  }

  /** Absence counts only once the exchange can no longer accept the request, and only when it is seen twice. */
  private async weighAbsence(
    session: ExchangeSession,
    w: Withdrawal,
    attempt: WithdrawalAttempt,
    now: Date,
  ): Promise<void> {
    const { WITHDRAWAL_CLEAN_LISTING_GAP_MS: gapMs } = this.config.values;
    const provableFrom = this.provableFrom(attempt);
    if (now < provableFrom) {
      return this.ledger.lookAgain(w, earlier(provableFrom, this.pause(w, RETRY_FIRST_MS, gapMs)));
    }
    const lastAt = attempt.lastCleanListingAt;
    if (lastAt !== null && now.getTime() - lastAt.getTime() < gapMs) {
      return this.ledger.lookAgain(w, new Date(lastAt.getTime() + gapMs));
    }
    if (attempt.cleanListings + 1 < CLEAN_LISTINGS) {
      return this.ledger.absent(w, attempt, now, new Date(now.getTime() + gapMs));
    }
    if (await this.wallets.hasNewCredentials(w.walletId, attempt.startedAt)) {
      return this.review(w, 'the credentials were replaced since, perhaps by those of another account');
    }
    if (attempt.notAfter === null && !(await this.isBalanceUnchanged(session, w, attempt))) {
      return this.review(w, 'not in the history of the exchange, but the balance has changed');
    }
    if (await this.restored.isForgotten(attempt.startedAt)) {
      return this.review(w, 'not in the history of the exchange, but it may have been sent again before the restore');
    }
    await this.ledger.notExecuted(w, attempt, now);
    this.logger.warn({ withdrawalId: w.id }, 'withdrawal was not executed');
  }

  private async isBalanceUnchanged(
    session: ExchangeSession,
    w: Withdrawal,
    attempt: WithdrawalAttempt,
  ): Promise<boolean> {
    const balance = (await session.balances()).find(({ asset }) => asset === w.asset);
    return attempt.balanceBefore !== null && (balance?.total.equals(attempt.balanceBefore) ?? false);
  }

  private async follow(session: ExchangeSession, w: Withdrawal, attempt: WithdrawalAttempt | null): Promise<void> {
    const found = await this.seek(session, w, attempt);
    const seen = found.find(({ exchangeId }) => exchangeId === w.exchangeId) ?? null;
    if (seen === null) this.logger.warn({ withdrawalId: w.id }, 'the exchange does not list an accepted withdrawal');
    if (seen === null || seen.status === 'pending') {
      return this.ledger.progressed(w, seen, this.pause(w, FOLLOW_FIRST_MS, FOLLOW_LAST_MS));
    }
    await this.ledger.settled(w, seen, seen.status, this.clock.now());
    this.logger.info({ withdrawalId: w.id, status: seen.status }, 'withdrawal settled');
  }

  /** One that an operator has found may have been sent in a life that the database has forgotten: then without an attempt. */
  private seek(
    session: ExchangeSession,
    w: Withdrawal,
    attempt: WithdrawalAttempt | null,
  ): Promise<ExchangeWithdrawal[]> {
    const startedAt = attempt?.startedAt ?? w.createdAt;
    if (session.withdrawals === undefined) throw new Error(`${session.exchange} has no withdrawals`);
    return session.withdrawals.find({
      asset: w.asset,
      request: attempt?.request ?? {},
      clientRef: attempt?.clientRef ?? null,
      exchangeId: w.exchangeId,
      notBefore: new Date(startedAt.getTime() - this.config.values.WITHDRAWAL_CLOCK_SKEW_MS),
    });
  }

  private async review(w: Withdrawal, reason: string): Promise<void> {
    await this.ledger.toReview(w, this.clock.now());
    this.logger.error({ withdrawalId: w.id, reason }, 'withdrawal needs an operator');
  }

  /** An exchange that cannot be asked proves nothing: look again later. */
  private async ask(w: Withdrawal, work: (session: ExchangeSession) => Promise<void>): Promise<void> {
    try {
      await work(await this.sessions.openById(w.walletId));
    } catch (error) {
      // Nobody but an operator can find out any more.
      if (error instanceof WalletNotFound) return this.review(w, 'the credentials of the deleted wallet are erased');
      if (!(error instanceof ExchangeError)) throw error;
      this.logger.warn({ withdrawalId: w.id, err: error }, 'the exchange could not be asked about a withdrawal');
      await this.ledger.lookAgain(w, this.pause(w, RETRY_FIRST_MS, RETRY_LAST_MS));
    }
  }

  private pause(w: Withdrawal, firstMs: number, lastMs: number): Date {
    const ms = Math.min(lastMs, firstMs * 2 ** Math.min(w.checkCount, 20));
    return new Date(this.clock.now().getTime() + ms);
  }
}

function earlier(a: Date, b: Date): Date {
  return a < b ? a : b;
}

function required(attempt: WithdrawalAttempt | null): WithdrawalAttempt {
  if (attempt === null) throw new Error('a withdrawal that was sent has an attempt');
  return attempt;
}
