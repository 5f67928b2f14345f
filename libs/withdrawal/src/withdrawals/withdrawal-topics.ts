import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '#platform/database';
import { logFailedWork } from '#platform/errors';
import { Topics, type TopicMessageBody } from '#platform/events';
import { LOGGER, type Logger } from '#platform/logging';
import type { Refusal } from './refusal.js';
import type { Withdrawal } from './withdrawal.entity.js';

/** The owner of a quote's topic, and the facts that every message on it contains. */
interface QuoteFacts {
  organization_id: string;
  project_id: string;
  external_wallet_id: string;
  exchange: string;
}

/**
 * Publishes the result of an execution to the listeners of its quote, in the transaction that records the result. When
 * publishing fails, only the message is rolled back; the result is recorded all the same.
 */
@Injectable()
export class WithdrawalTopics {
  constructor(
    private readonly db: Database,
    private readonly topics: Topics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Publishes that the money may have left: the exchange has accepted the withdrawal, or gave no definite answer. */
  mayHaveLeft(tx: EntityManager, { quoteId, transactionId }: Withdrawal): Promise<void> {
    return this.publish(tx, quoteId, { success: true, transactionId, step: 'complete' });
  }

  refused(tx: EntityManager, quoteId: string, { code, message, result }: Refusal): Promise<void> {
    const error = { error: message, type: code, ...(result !== null && { result }) };
    return this.publish(tx, quoteId, { success: false, error });
  }

  private async publish(
    tx: EntityManager,
    quoteId: string,
    outcome: Pick<TopicMessageBody, 'success' | 'transactionId' | 'step' | 'error'>,
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
        await this.topics.publish(savepoint, { organizationId, projectId, topic: quoteId, body });
      });
    } catch (error) {
      logFailedWork(this.logger, error, 'a result was not published to the listeners of a quote', { quoteId });
    }
  }

  private async factsOf(tx: EntityManager, quoteId: string): Promise<QuoteFacts> {
    const [facts] = await this.db.query<QuoteFacts>(
      `select p.organization_id, q.project_id, w.external_id as external_wallet_id, q.exchange
       from quotes q join projects p on p.id = q.project_id join wallets w on w.id = q.wallet_id
       where q.id = $1`,
      [quoteId],
      tx,
    );
    if (facts === undefined) throw new Error('the quote does not exist');
    return facts;
  }
}
