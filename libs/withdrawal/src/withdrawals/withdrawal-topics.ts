import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { VerificationChallenge } from '#exchange';
import { Database, type NamedStatement } from '#platform/database';
import { logFailedWork } from '#platform/errors';
import { Events, Topics, type NewTopicMessage, type WithdrawMessageBody } from '#platform/events';
import { LOGGER, type Logger } from '#platform/logging';
import type { Refusal } from './refusal.js';
import { readEventFacts, recordReopened, recordStateEvent, type EventFacts } from './withdrawal-event.js';
import type { WithdrawalState } from './withdrawal-state.js';

/** Savepoint to which the transaction returns when a message cannot be published. */
const SAVEPOINT: NamedStatement = { name: 'savepoint', text: 'savepoint message' };
const RELEASE: NamedStatement = { name: 'release savepoint', text: 'release savepoint message' };
const ROLLBACK: NamedStatement = { name: 'rollback to savepoint', text: 'rollback to savepoint message' };

type Outcome = Omit<WithdrawMessageBody, 'type' | 'walletId' | 'exchange' | 'quoteId'>;
type Progress = Pick<WithdrawMessageBody, 'step' | 'stepIndex' | 'totalSteps'>;

/** The error codes of the first request for a verification code. Requests for further codes have other error codes. */
const REQUIRES_VERIFICATION = /^WITHDRAWAL_2FA_REQUIRED_/;

/**
 * Publishes the result of an execution to the listeners of its quote, in the transaction that records the result. When
 * publishing fails, only the message is rolled back, and the result is still recorded. It also records the events about
 * the withdrawal, which are committed together with the result.
 */
@Injectable()
export class WithdrawalTopics {
  constructor(
    private readonly db: Database,
    private readonly topics: Topics,
    private readonly events: Events,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async refused(tx: EntityManager, quoteId: string, refusal: Refusal): Promise<void> {
    if (REQUIRES_VERIFICATION.test(refusal.code)) {
      const { code, message, result } = refusal;
      // The withdrawal may not have begun, or its row may have an earlier error.
      const error = { errorType: code, errorMessage: message, errorResult: result };
      const facts = { ...(await readEventFacts(this.db, tx, quoteId)), ...error };
      await recordStateEvent(this.events, tx, 'verification_required', facts);
    }
    await this.publish(tx, quoteId, { success: false, error: toError(refusal), ...progressOf(refusal) });
  }

  /**
   * Publishes the result of a dry run, which the interface reports as an error code in any case. Clients repeat dry
   * runs while a person verifies in the exchange's app, and wait for the message of each. So an equal result is
   * published each time, but stored once.
   */
  triedDry(tx: EntityManager, quoteId: string, refusal: Refusal): Promise<void> {
    const outcome: Outcome = { success: false, error: toError(refusal), ...progressOf(refusal), step: 'dry_run' };
    return this.publish(tx, quoteId, outcome, { replacesEqual: true });
  }

  /**
   * Records the event about the state that `tx` has given to a withdrawal. `mayHaveLeft` also publishes that the money
   * may have left: the exchange has accepted the withdrawal, or gave no definite answer.
   * @param facts read after the change
   */
  async moved(
    tx: EntityManager,
    facts: EventFacts,
    { to, mayHaveLeft = false }: { to: WithdrawalState; mayHaveLeft?: boolean },
  ): Promise<void> {
    const outcome: Outcome = { success: true, transactionId: facts.transactionId ?? undefined, step: 'complete' };
    await recordStateEvent(this.events, tx, to, facts);
    if (mayHaveLeft) await this.guarded(tx, facts.quoteId, () => this.send(tx, facts, outcome));
  }

  /** Records and publishes that the exchange shows a withdrawal that was reported as failed. */
  async reopened(tx: EntityManager, quoteId: string): Promise<void> {
    const facts = await readEventFacts(this.db, tx, quoteId);
    await recordReopened(this.events, tx, facts);
    const outcome: Outcome = { success: true, transactionId: facts.transactionId ?? undefined, step: 'complete' };
    await this.guarded(tx, quoteId, () => this.send(tx, facts, outcome));
  }

  private publish(
    tx: EntityManager,
    quoteId: string,
    outcome: Outcome,
    options: Pick<NewTopicMessage, 'replacesEqual'> = {},
  ): Promise<void> {
    return this.guarded(tx, quoteId, async () => {
      await this.send(tx, await readEventFacts(this.db, tx, quoteId), outcome, options);
    });
  }

  /** Runs `work` in a savepoint. When it fails, only its own statements are rolled back. */
  private async guarded(tx: EntityManager, quoteId: string, work: () => Promise<void>): Promise<void> {
    try {
      await this.db.read(SAVEPOINT, [], tx);
      await work();
      await this.db.read(RELEASE, [], tx);
    } catch (error) {
      await this.db.read(ROLLBACK, [], tx);
      logFailedWork(this.logger, error, 'a result was not published to the listeners of a quote', { quoteId });
    }
  }

  private send(
    tx: EntityManager,
    { organizationId, projectId, walletId, exchange, quoteId }: EventFacts,
    outcome: Outcome,
    options: Pick<NewTopicMessage, 'replacesEqual'> = {},
  ): Promise<void> {
    const body = { type: 'withdraw' as const, ...outcome, walletId, exchange, quoteId };
    return this.topics.publish(tx, { organizationId, projectId, topic: quoteId, body, ...options });
  }
}

function toError({ code, message, result }: Refusal): NonNullable<WithdrawMessageBody['error']> {
  return { error: message, type: code, code, message, ...(result !== null && { result }) };
}

/** The progress of the verification that a refusal reports; empty when it reports none. */
function progressOf({ code, result }: Refusal): Progress {
  const report = result as Partial<Pick<VerificationChallenge, 'relation' | 'steps'>> | null;
  if (report?.steps !== undefined) return { step: 'verification', ...countSteps(report.relation, report.steps) };
  return code.startsWith('WITHDRAWAL_2FA_REQUIRED_') ? { step: 'verification', stepIndex: 0, totalSteps: 1 } : {};
}

/**
 * Counts the steps that the person must complete: one if the steps are alternatives; otherwise the required steps, or
 * all steps if none is marked as required.
 */
function countSteps(
  relation: VerificationChallenge['relation'] | undefined,
  steps: VerificationChallenge['steps'],
): Pick<Progress, 'stepIndex' | 'totalSteps'> {
  const required = steps.filter((step) => step.required);
  const needed = relation === 'OR' || required.length === 0 ? steps : required;
  const verified = needed.filter(({ status }) => status === 'success').length;
  const totalSteps = relation === 'OR' ? 1 : needed.length;
  return { stepIndex: Math.min(verified, totalSteps), totalSteps };
}
