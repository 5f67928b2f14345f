import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database } from '#platform/database';
import type { ErrorCode } from '#platform/errors';

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
  ) {}

  /** Messages of one topic get their order here: the lock is held until `tx` ends, so that none overtakes another. */
  async publish(tx: EntityManager, { organizationId, projectId, topic, body }: NewTopicMessage): Promise<void> {
    const key = topicKey(organizationId, topic);
    await this.db.query(`select pg_advisory_xact_lock(hashtextextended($1, 5))`, [key], tx);
    await this.db.query(
      `insert into topic_messages (id, organization_id, project_id, topic, body, created_at)
       values ($1, $2, $3, $4, $5, $6)`,
      [this.clock.newId(), organizationId, projectId, topic, JSON.stringify(body), this.clock.now()],
      tx,
    );
    await this.db.query(
      `delete from topic_messages where organization_id = $1 and topic = $2 and position <=
         (select position from topic_messages where organization_id = $1 and topic = $2
          order by position desc offset $3 limit 1)`,
      [organizationId, topic, this.config.values.TOPIC_MESSAGES_MAX],
      tx,
    );
    await this.db.query(`select pg_notify($1, $2)`, [TOPICS_CHANNEL, key], tx);
  }
}
