import { Injectable } from '@nestjs/common';
import { acrossProjects, Database } from '#platform/database';
import type { TopicMessageBody } from './topics.js';

/** A message as listeners receive it. */
export interface TopicMessage {
  /** A listener that reconnects sends the id of its last message. */
  messageId: string;
  /** The topic. */
  idem: string;
  /** Epoch milliseconds. */
  timestamp: number;
  body: TopicMessageBody;
}

/** A topic of one organization. */
export interface TopicName {
  organizationId: string;
  topic: string;
}

/** A topic that exists, with the project that it belongs to. */
export interface OwnedTopic extends TopicName {
  projectId: string;
}

/** A topic of one organization, to be read after the position `after`. */
export interface TopicPosition extends TopicName {
  after: bigint;
}

/** A message and its position in its topic. */
export interface FoundMessage {
  /** Index of the topic in the list that `listAfter` got. */
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

/** Reads messages. Each method makes one statement for any number of topics. */
@Injectable()
export class TopicMessages {
  constructor(private readonly db: Database) {}

  /**
   * Lists the messages after these positions, sorted by the order of `topics`, then by position. The messages of
   * stopped projects are left out until the project is resumed.
   */
  async listAfter(topics: readonly TopicPosition[], limit: number): Promise<FoundMessage[]> {
    const rows = await this.read<Row & { number: string }>(
      `select wanted.number, found.*
       from unnest($1::uuid[], $2::text[], $3::bigint[]) with ordinality as wanted (organization_id, topic, after, number)
       cross join lateral (
         select id, m.topic, position, body, created_at from topic_messages m
         where m.organization_id = wanted.organization_id and m.topic = wanted.topic and position > after
             and not exists (select from stopped_projects s where s.id = m.project_id)
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

  /** The positions of these messages, by id. A message is left out when the given topic does not contain it. */
  async positionsOf(
    messages: readonly { organizationId: string; topic: string; messageId: string }[],
  ): Promise<Map<string, bigint>> {
    const rows = await this.read<{ id: string; position: string }>(
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

  /** Returns those of the topics that have a stored message, with the project of the newest one. */
  topicsWithMessages(topics: readonly TopicName[]): Promise<OwnedTopic[]> {
    return this.read<OwnedTopic>(
      `select wanted.organization_id as "organizationId", wanted.topic, newest.project_id as "projectId"
       from unnest($1::uuid[], $2::text[]) as wanted (organization_id, topic)
       cross join lateral (select project_id from topic_messages m
                           where m.organization_id = wanted.organization_id and m.topic = wanted.topic
                           order by position desc limit 1) newest`,
      [topics.map(({ organizationId }) => organizationId), topics.map(({ topic }) => topic)],
    );
  }

  /**
   * Returns the message that states the outcome of a topic: the newest one about a withdrawal, else the newest one;
   * null = none is stored.
   */
  async findOutcome(organizationId: string, topic: string): Promise<TopicMessage | null> {
    const [row] = await this.read<Row>(
      `select id, topic, position, body, created_at from topic_messages
       where organization_id = $1 and topic = $2
         and not exists (select from stopped_projects s where s.id = project_id)
       order by body->>'type' = 'withdraw' desc, position desc limit 1`,
      [organizationId, topic],
    );
    return row === undefined ? null : toMessage(row);
  }

  /** Listeners need no API key: who knows the organization and the topic may read it, whatever its project is. */
  private read<Found>(sql: string, parameters: unknown[]): Promise<Found[]> {
    return acrossProjects(() => this.db.query<Found>(sql, parameters));
  }
}

function toMessage({ id, topic, body, created_at }: Row): TopicMessage {
  return { messageId: id, idem: topic, timestamp: created_at.getTime(), body };
}
