import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database, afterCommit, type NamedStatement } from '#platform/database';
import { logFailedWork, type ErrorCode } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';

/** Channel of the notifications of new messages; the payload is `<organization id> <topic>`. */
export const TOPICS_CHANNEL = 'causeway_topics';

/** The progress of a connect session. Safe to show to every caller who knows the topic. */
export interface ConnectMessageBody {
  /**
   * `qr_code_auth`: a login with the exchange's app. `oauth2`: the other connect methods, and every cancelled connect
   * session.
   */
  type: 'oauth2' | 'qr_code_auth';
  /** Absent while the outcome is not decided. */
  success?: boolean;
  walletId: string;
  /** Absent when the session ended before the person had chosen an exchange. */
  exchange?: string;
  /** The connect method; absent while none is chosen. */
  way?: 'oauth2' | 'api_key' | 'qr_code';
  /**
   * The text of the error when `success` is false. The error's code is in `code`, because `type` is the type of the
   * message.
   */
  error?: string;
  code?: ErrorCode;
  result?: Record<string, unknown>;
  /** The content of the QR code, which the exchange's app scans. */
  qrCodeUrl?: string;
  qrCodeStatus?: 'available' | 'scanned' | 'confirmed' | 'expired';
  /** Epoch milliseconds. */
  qrCodeExpiresAt?: number;
}

/** The result of an execution or a dry run. Safe to show to every caller who knows the topic. */
export interface WithdrawMessageBody {
  type: 'withdraw';
  success: boolean;
  walletId: string;
  exchange: string;
  quoteId: string;
  /** Set when the money may have left. */
  transactionId?: string;
  /** Absent when the execution was refused for another reason than a required verification. */
  step?: 'verification' | 'dry_run' | 'complete';
  /** How many of the steps of a verification are verified. */
  stepIndex?: number;
  /** How many steps the verification needs. */
  totalSteps?: number;
  /** Set when `success` is false. `code` repeats `type` and `message` repeats `error`: clients read either pair. */
  error?: { error: string; type: ErrorCode; code: ErrorCode; message: string; result?: Record<string, unknown> };
}

export type TopicMessageBody = ConnectMessageBody | WithdrawMessageBody;

export interface NewTopicMessage {
  organizationId: string;
  projectId: string;
  /** The `idem` of a connect session, or a quote id. A caller who knows it and the organization may listen. */
  topic: string;
  body: TopicMessageBody;
  /** Whether the newest message of the topic is deleted when it has the same body. Default: false. */
  replacesEqual?: boolean;
}

const PUBLISH: NamedStatement = {
  name: 'publish message',
  text: `with locked as materialized (select pg_advisory_xact_lock(hashtextextended($7, 5))),
         trimmed as (
           delete from topic_messages where organization_id = $2 and topic = $4 and position <=
             (select position from topic_messages where organization_id = $2 and topic = $4
              order by position desc offset $8 limit 1)),
         replaced as (
           delete from topic_messages where $9 and organization_id = $2 and topic = $4 and body = $5::jsonb and position =
             (select max(position) from topic_messages where organization_id = $2 and topic = $4))
         insert into topic_messages (id, organization_id, project_id, topic, body, created_at)
         select $1, $2, $3, $4, $5, $6 from locked`,
};
const NOTIFY: NamedStatement = { name: 'notify listeners', text: 'select pg_notify($1, $2)' };

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
   * Locks the topic until `tx` ends, so that its messages are stored in order. The notification is sent after the
   * commit. A notification inside the transaction would make its commit wait for all other commits with notifications,
   * and could make the commit fail.
   */
  async publish(tx: EntityManager, message: NewTopicMessage): Promise<void> {
    const { organizationId, projectId, topic, body, replacesEqual = false } = message;
    const key = topicKey(organizationId, topic);
    await this.db.read(
      PUBLISH,
      [
        ...[this.clock.newId(), organizationId, projectId, topic, JSON.stringify(body), this.clock.now()],
        ...[key, this.config.constants.TOPIC_MESSAGES_MAX - 1, replacesEqual],
      ],
      tx,
    );
    afterCommit(() => this.notify(key));
  }

  /** When the notification is lost, listeners get the message at the next periodic read of their process. */
  private notify(key: string): void {
    this.db.read(NOTIFY, [TOPICS_CHANNEL, key]).catch((error: unknown) => {
      logFailedWork(
        this.logger,
        error,
        'other processes were not notified of a message; they find it at their next periodic read',
      );
    });
  }
}
