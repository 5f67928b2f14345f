import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database';
import type { TopicMessageBody } from './topics.js';

/** A message as listeners get it. */
export interface TopicMessage {
  /** Names the message to whoever goes on after it. */
  messageId: string;
  /** The topic. */
  idem: string;
  /** Epoch milliseconds. */
  timestamp: number;
  body: TopicMessageBody;
}

/** A topic of one organization, and from where on it is read. */
export interface TopicPosition {
  organizationId: string;
  topic: string;
  after: bigint;
}

/** A message, where it stands, and which of the topics that were asked for it is of. */
export interface FoundMessage {
  index: number;
  position: bigint;
  message: TopicMessage;
}

interface Row {
  id: string;
  topic: string;
  position: string;
  body: TopicMessageBody;
  created_at: Date;
}

/** Reads of topics: each method is one statement, however many topics it is for. */
@Injectable()
export class TopicMessages {
  constructor(private readonly db: Database) {}

  /** By topic in the order given, and each topic in its own. */
  async listAfter(topics: readonly TopicPosition[], limit: number): Promise<FoundMessage[]> {
    const rows = await this.db.query<Row & { number: string }>(
      `select wanted.number, found.*
       from unnest($1::uuid[], $2::text[], $3::bigint[]) with ordinality as wanted (organization_id, topic, after, number)
       cross join lateral (
         select id, m.topic, position, body, created_at from topic_messages m
         where m.organization_id = wanted.organization_id and m.topic = wanted.topic and position > after
         order by position limit $4
       ) found
       order by wanted.number, found.position limit $4`,
      [
        topics.map(({ organizationId }) => organizationId),
        topics.map(({ topic }) => topic),
        topics.map(({ after }) => after.toString()),
        limit,
      ],
    );
    return rows.map((row) => ({
      index: Number(row.number) - 1,
      position: BigInt(row.position),
      message: toMessage(row),
    }));
  }

  /** Where each of these messages stands in its topic; those that are no longer kept, or never were of it, are missing. */
  async positionsOf(
    messages: readonly { organizationId: string; topic: string; messageId: string }[],
  ): Promise<Map<string, bigint>> {
    const rows = await this.db.query<{ id: string; position: string }>(
      `select m.id, m.position from topic_messages m
       join unnest($1::uuid[], $2::text[], $3::uuid[]) as wanted (organization_id, topic, id)
         on m.id = wanted.id and m.organization_id = wanted.organization_id and m.topic = wanted.topic`,
      [
        messages.map(({ organizationId }) => organizationId),
        messages.map(({ topic }) => topic),
        messages.map(({ messageId }) => messageId),
      ],
    );
    return new Map(rows.map(({ id, position }) => [id, BigInt(position)]));
  }

  /** The newest message of a topic; null = it has none, or none any more. */
  async findLast(organizationId: string, topic: string): Promise<TopicMessage | null> {
    const [row] = await this.db.query<Row>(
      `select id, topic, position, body, created_at from topic_messages
       where organization_id = $1 and topic = $2 order by position desc limit 1`,
      [organizationId, topic],
    );
    return row === undefined ? null : toMessage(row);
  }
}

function toMessage({ id, topic, body, created_at }: Row): TopicMessage {
  return { messageId: id, idem: topic, timestamp: created_at.getTime(), body };
}
