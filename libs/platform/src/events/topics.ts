import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database, afterCommit } from '#platform/database';
import { logFailedWork, type ErrorCode } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';

/** Notified with `<organization id> <topic>` whenever a topic has a new message. */
export const TOPICS_CHANNEL = 'causeway_topics';

/** What listeners are told: how a connect or a withdrawal went on. Safe to show to whoever knows the topic. */
export interface TopicMessageBody {
  /** How it came about: at the exchange's page, by a pasted key, by its app, or a withdrawal. */
  type: 'oauth2' | 'connect' | 'qr_code_auth' | 'withdraw';
  /** Absent: not decided yet. */
  success?: boolean;
  walletId: string;
  exchange: string;
  /** Where `success` is false: the members of the error body. */
  error?: { error: string; type: ErrorCode; result?: Record<string, unknown> };
  /** Of a QR login that goes on. */
  status?: string;
  /** Of a withdrawal. */
  quoteId?: string;
  transactionId?: string;
  step?: 'complete';
}

export interface NewTopicMessage {
  organizationId: string;
  projectId: string;
  /** The `idem` of a connect, or a quote id: who knows it and the organization may listen. */
  topic: string;
  body: TopicMessageBody;
}

/** How a topic is called in notifications, and what is locked while it is written to. */
export function topicKey(organizationId: string, topic: string): string {
  return `${organizationId} ${topic}`;
}

/** Tells the listeners of a topic, in the transaction that makes it true. */
@Injectable()
export class Topics {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Messages of one topic get their order here: the lock is held until `tx` ends, so that none overtakes another. The
   * notification comes after the commit, which it would make wait for all others that notify, and could make fail.
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
        ...[key, this.config.values.TOPIC_MESSAGES_MAX - 1],
      ],
      tx,
    );
    afterCommit(() => this.notify(key));
  }

  /** When it gets lost, listeners hear of the message at their process's next look. */
  private notify(key: string): void {
    this.db.query(`select pg_notify($1, $2)`, [TOPICS_CHANNEL, key]).catch((error: unknown) => {
      logFailedWork(this.logger, error, 'other processes were not notified of a message');
    });
  }
}
