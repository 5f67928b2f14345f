import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database, afterCommit } from '#platform/database';
import { logFailedWork, type ErrorCode } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';

/** Channel of the notifications of new messages; the payload is `<organization id> <topic>`. */
export const TOPICS_CHANNEL = 'causeway_topics';

/** The progress of a connect or a withdrawal. Safe to show to every caller who knows the topic. */
export interface TopicMessageBody {
  /** A connect at the exchange's page, by a pasted key or by the exchange's app, or a withdrawal. */
  type: 'oauth2' | 'connect' | 'qr_code_auth' | 'withdraw';
  /** Absent while the outcome is not decided. */
  success?: boolean;
  walletId: string;
  exchange: string;
  /** The members of the error body when `success` is false. */
  error?: { error: string; type: ErrorCode; result?: Record<string, unknown> };
  /** Status of a QR login in progress. */
  status?: string;
  /** Only of a withdrawal. */
  quoteId?: string;
  transactionId?: string;
  step?: 'complete';
}

export interface NewTopicMessage {
  organizationId: string;
  projectId: string;
  /** The `idem` of a connect, or a quote id. A caller who knows it and the organization may listen. */
  topic: string;
  body: TopicMessageBody;
}

/** The name of a topic in notifications, and the key of its lock during writes. */
export function topicKey(organizationId: string, topic: string): string {
  return `${organizationId} ${topic}`;
}

/** Publishes messages on a topic, in the transaction of the change that they report. */
@Injectable()
export class Topics {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * The lock gives the messages of one topic their order: it is held until `tx` ends. The notification is sent after the
   * commit. Inside the transaction it would make the commit wait for all other notifying commits, and could make it fail.
   */
  async publish(tx: EntityManager, { organizationId, projectId, topic, body }: NewTopicMessage): Promise<void> {
    const key = topicKey(organizationId, topic);
    await this.db.query(
      `with locked as materialized (select pg_advisory_xact_lock(hashtextextended($7, 5))),
       trimmed as (
         delete from topic_messages where organization_id = $2 and topic = $4 and position <=
           (select position from topic_messages where organization_id = $2 and topic = $4
            order by position desc offset $8 limit 1))
       insert into topic_messages (id, organization_id, project_id, topic, body, created_at)
       select $1, $2, $3, $4, $5, $6 from locked`,
      [
        ...[this.clock.newId(), organizationId, projectId, topic, JSON.stringify(body), this.clock.now()],
        ...[key, this.config.constants.TOPIC_MESSAGES_MAX - 1],
      ],
      tx,
    );
    afterCommit(() => this.notify(key));
  }

  /** When the notification is lost, listeners get the message at the next periodic read of their process. */
  private notify(key: string): void {
    this.db.query(`select pg_notify($1, $2)`, [TOPICS_CHANNEL, key]).catch((error: unknown) => {
      logFailedWork(this.logger, error, 'other processes were not notified of a message');
    });
  }
}
