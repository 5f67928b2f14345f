import { Inject, Injectable } from '@nestjs/common';
import {
  ProviderError,
  type ExchangeSession,
  type PreparedWithdrawal,
  type SubmitOutcome,
  type WithdrawalCapability,
} from '#exchange';
import { Amount } from '#money';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import type { Secret } from '#platform/crypto';
import { LOGGER, type Logger } from '#platform/logging';
import type { Wallet } from '#wallet';
import type { Quote } from './quote.entity.js';
import { refusalOf } from './refusal.js';
import { VerificationRequired } from './execution.errors.js';
import { InsufficientBalance } from './withdrawal.errors.js';
import type { WithdrawalAttempt } from './withdrawal-attempt.entity.js';
import type { Withdrawal } from './withdrawal.entity.js';
import { WithdrawalLedger } from './withdrawal-ledger.js';
import { clientRefOf, WithdrawalStore } from './withdrawal-store.js';

/** Attempts of one call when each before provably wrote nothing. */
const ATTEMPTS_MAX = 3;
/** How often the result of a submission is offered to the database before the sweep is left to find it. */
const RECORD_TRIES = 3;
const RECORD_PAUSE_MS = 200;

export interface SubmitContext {
  tag: string | null;
  otp?: Secret;
  /** Epoch milliseconds after which nothing more is sent. */
  deadline: number;
}

/**
 * One execution, step by step: ask what must be asked, claim and write down the intent (committed), send once, write
 * down the result. Nothing here sends a second time unless the first one provably wrote nothing.
 */
@Injectable()
export class SubmitWithdrawal {
  constructor(
    private readonly store: WithdrawalStore,
    private readonly ledger: WithdrawalLedger,
    private readonly clock: Clock,
    private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const { WITHDRAWAL_LEASE_MS, EXCHANGE_SUBMIT_TIMEOUT_MS } = config.values;
    if (WITHDRAWAL_LEASE_MS <= EXCHANGE_SUBMIT_TIMEOUT_MS) {
      throw new Error('WITHDRAWAL_LEASE_MS must be above EXCHANGE_SUBMIT_TIMEOUT_MS: a lease outlives its submission');
    }
  }

  /** @returns the withdrawal as it stands; a refusal is recorded in it, not thrown. */
  async execute(session: ExchangeSession, quote: Quote, wallet: Wallet, context: SubmitContext): Promise<Withdrawal> {
    const capability = capabilityOf(session);
    const { prepared, balanceBefore } = await this.check(session, quote, context.tag);
    const claim = { withdrawalId: this.clock.newId(), transactionId: this.clock.newId(), tag: context.tag };
    for (let attemptNumber = 1; ; attemptNumber++) {
      const startedAt = this.clock.now();
      const { withdrawal, attempt } = await this.store.begin(quote, wallet, claim, {
        id: this.clock.newId(),
        connector: session.exchange,
        connectorVersion: session.connectorVersion,
        class: capability.class,
        prepared,
        balanceBefore,
        startedAt,
        leaseUntil: new Date(startedAt.getTime() + this.config.values.WITHDRAWAL_LEASE_MS),
      });
      if (attempt === null) return withdrawal;
      const outcome = await this.send(capability, prepared, attempt, context);
      await this.record(withdrawal, attempt, outcome, quote);
      if (outcome.kind === 'verification_required') throw new VerificationRequired(outcome.code, outcome.rawCode);
      if (outcome.kind !== 'not_sent') return (await this.store.find(withdrawal.id)) ?? withdrawal;
      if (attemptNumber === ATTEMPTS_MAX || this.clock.now().getTime() >= context.deadline) {
        throw new ProviderError(
          'The exchange could not be reached; nothing was sent, and the quote can be executed again',
          {
            reason: 'not_sent',
          },
        );
      }
    }
  }

  /** What can be known before anything is sent: the saved address, the balance. @throws what is missing. */
  async check(
    session: ExchangeSession,
    quote: Quote,
    tag: string | null,
  ): Promise<{ prepared: PreparedWithdrawal; balanceBefore: Amount | null }> {
    const prepared = await capabilityOf(session).prepare({
      asset: quote.asset,
      network: quote.network,
      address: quote.address,
      tag,
      amountNoFee: quote.amountNoFee,
      fee: quote.fee,
      amountWithFee: quote.amountWithFee,
      clientRef: clientRefOf(quote.id),
    });
    const balance = (await session.balances()).find(({ asset }) => asset === quote.asset);
    const free = balance?.free ?? Amount.zero;
    if (free.lessThan(quote.amountWithFee)) throw new InsufficientBalance(quote.asset, free);
    return { prepared, balanceBefore: balance?.total ?? null };
  }

  private async send(
    capability: WithdrawalCapability,
    prepared: PreparedWithdrawal,
    attempt: WithdrawalAttempt,
    context: SubmitContext,
  ): Promise<SubmitOutcome> {
    const { EXCHANGE_SUBMIT_TIMEOUT_MS } = this.config.values;
    const sendBefore = Math.min(context.deadline, attempt.leaseUntil.getTime() - EXCHANGE_SUBMIT_TIMEOUT_MS);
    try {
      return await capability.submit(prepared, {
        otp: context.otp,
        beforeSend: () => {
          const now = this.clock.now();
          // Later than this, the answer could come after the sweep has given the attempt up as unknown.
          if (now.getTime() >= sendBefore) throw new Error('too late to send within the lease');
          attempt.sentAt = now;
        },
      });
    } catch (error) {
      // A connector never throws here; if one does, whether it had sent is all that counts.
      this.logger.error({ err: error, attemptId: attempt.id }, 'submit threw');
      return attempt.sentAt === null
        ? { kind: 'not_sent', reason: 'connector error' }
        : { kind: 'unknown', reason: 'connector error', answer: {} };
    }
  }

  /** When the database does not take the result, the lease runs out and the sweep finds it at the exchange. */
  private async record(
    withdrawal: Withdrawal,
    attempt: WithdrawalAttempt,
    outcome: SubmitOutcome,
    quote: Quote,
  ): Promise<void> {
    const context = { withdrawalId: withdrawal.id, attemptId: attempt.id, outcome: outcome.kind };
    for (let tries = 1; tries <= RECORD_TRIES; tries++) {
      try {
        const recorded = await this.write(withdrawal, attempt, outcome, quote);
        this.logger.info({ ...context, recorded }, 'withdrawal submitted');
        return;
      } catch (error) {
        this.logger.error({ ...context, err: error }, 'result of a submission was not recorded');
        await this.clock.sleep(RECORD_PAUSE_MS);
      }
    }
  }

  private write(w: Withdrawal, attempt: WithdrawalAttempt, outcome: SubmitOutcome, quote: Quote): Promise<boolean> {
    const now = this.clock.now();
    switch (outcome.kind) {
      case 'accepted':
        return this.ledger.accepted(w, attempt, outcome.exchangeId, outcome.answer, now);
      case 'rejected':
        return this.ledger.rejected(w, attempt, refusalOf(outcome), outcome.answer, now);
      case 'verification_required':
        return this.ledger.verificationRequired(w, attempt, outcome.answer, now, quote.expiresAt);
      case 'not_sent':
        return this.ledger.notSent(w, attempt, outcome.reason, now, quote.expiresAt);
      case 'unknown':
        return this.ledger.unknown(w, attempt, { reason: outcome.reason, ...outcome.answer }, now);
    }
  }
}

function capabilityOf(session: ExchangeSession): WithdrawalCapability {
  if (session.withdrawals === undefined) throw new ProviderError('Withdrawals of this exchange are not supported');
  return session.withdrawals;
}
