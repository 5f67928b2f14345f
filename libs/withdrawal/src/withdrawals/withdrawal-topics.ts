import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { VerificationChallenge } from '#exchange';
import { Database, type NamedStatement } from '#platform/database';
import { logFailedWork } from '#platform/errors';
import { Events, Topics, type NewTopicMessage, type WithdrawMessageBody } from '#platform/events';
import { LOGGER, type Logger } from '#platform/logging';
import type { Refusal } from './refusal.js';
import { recordStateEvent, recordVerificationEvent } from './withdrawal-event.js';
import type { WithdrawalState } from './withdrawal-state.js';
import type { Withdrawal } from './withdrawal.entity.js';

/** The owner of a quote's topic, and the facts that every message on it contains. */
interface QuoteFacts {
  organization_id: string;
  project_id: string;
  external_wallet_id: string;
  exchange: string;
}

const FACTS: NamedStatement = {
  name: 'facts of a quote topic',
  text: `select p.organization_id, q.project_id, w.external_id as external_wallet_id, q.exchange
      from quotes q join projects p on p.id = q.project_id join wallets w on w.id = q.wallet_id
     where q.id = $1`,
};

type Outcome = Omit<WithdrawMessageBody, 'type' | 'walletId' | 'exchange' | 'quoteId'>;
type Progress = Pick<WithdrawMessageBody, 'step' | 'stepIndex' | 'totalSteps'>;

/** The codes that ask for a verification, and not for another code or for patience. */
const REQUIRES_VERIFICATION = /^WITHDRAWAL_2FA_REQUIRED_/;

/**
 * Publishes the result of an execution to the listeners of its quote, in the transaction that records the result. When
 * publishing fails, only the message is rolled back; the result is recorded all the same. It also records the events
 * about the withdrawal, which are committed together with the result.
 */
@Injectable()
export class WithdrawalTopics {
  constructor(
    private readonly db: Database,
    private readonly topics: Topics,
    private readonly events: Events,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Publishes that the money may have left: the exchange has accepted the withdrawal, or gave no definite answer. */
  mayHaveLeft(tx: EntityManager, { quoteId, transactionId }: Withdrawal): Promise<void> {
    return this.publish(tx, quoteId, { success: true, transactionId, step: 'complete' });
  }

  async refused(tx: EntityManager, quoteId: string, refusal: Refusal): Promise<void> {
    if (REQUIRES_VERIFICATION.test(refusal.code)) await recordVerificationEvent(this.parts, tx, quoteId, refusal);
    await this.publish(tx, quoteId, { success: false, error: toError(refusal), ...progressOf(refusal) });
  }

  /**
   * Publishes the result of a dry run, which the interface reports as an error code in any case. Clients repeat dry runs
   * while a person verifies in the exchange's app, and wait for the message of each. So an equal result is sent again,
   * and stored once.
   */
  triedDry(tx: EntityManager, quoteId: string, refusal: Refusal): Promise<void> {
    const outcome: Outcome = { success: false, error: toError(refusal), ...progressOf(refusal), step: 'dry_run' };
    return this.publish(tx, quoteId, outcome, { replacesEqual: true });
  }

  /** Records the event about the state that `tx` has given to the withdrawal. */
  moved(tx: EntityManager, { quoteId }: Withdrawal, state: WithdrawalState): Promise<void> {
    return recordStateEvent(this.parts, tx, quoteId, state);
  }

  private get parts(): { db: Database; events: Events } {
    return { db: this.db, events: this.events };
  }

  private async publish(
    tx: EntityManager,
    quoteId: string,
    outcome: Outcome,
    options: Pick<NewTopicMessage, 'replacesEqual'> = {},
  ): Promise<void> {
    try {
      // Inside another transaction, this is a savepoint.
      await tx.transaction(async (savepoint) => {
        const facts = await this.factsOf(savepoint, quoteId);
        const {
          organization_id: organizationId,
          project_id: projectId,
          external_wallet_id: externalWalletId,
          exchange,
        } = facts;
        const body = { type: 'withdraw' as const, ...outcome, walletId: externalWalletId, exchange, quoteId };
        await this.topics.publish(savepoint, { organizationId, projectId, topic: quoteId, body, ...options });
      });
    } catch (error) {
      logFailedWork(this.logger, error, 'a result was not published to the listeners of a quote', { quoteId });
    }
  }

  private async factsOf(tx: EntityManager, quoteId: string): Promise<QuoteFacts> {
    const [facts] = await this.db.read<QuoteFacts>(FACTS, [quoteId], tx);
    if (facts === undefined) throw new Error('the quote does not exist');
    return facts;
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

/** The steps that are needed: one of alternative steps; otherwise the required ones, or all when none is marked as required. */
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
