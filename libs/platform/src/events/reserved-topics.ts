import { Injectable } from '@nestjs/common';
import type { OwnedTopic, TopicName } from './topic-messages.js';

/** @returns those of the topics that belong to the lib that has registered this check */
type OwnedTopics = (topics: readonly TopicName[]) => Promise<readonly OwnedTopic[]>;

/**
 * Knows which topics a caller cannot choose, because they are ids of objects of the service. Such an id is a topic from
 * the creation of the object, before its first message. The lib that owns the objects registers a check at the start.
 */
@Injectable()
export class ReservedTopics {
  private readonly checks: OwnedTopics[] = [];

  reserve(check: OwnedTopics): void {
    this.checks.push(check);
  }

  async has(organizationId: string, topic: string): Promise<boolean> {
    return (await this.among([{ organizationId, topic }])).length > 0;
  }

  /** Returns the reserved topics among these. */
  async among(topics: readonly TopicName[]): Promise<OwnedTopic[]> {
    const owned: OwnedTopic[] = [];
    for (const ownedAmong of this.checks) owned.push(...(await ownedAmong(topics)));
    return owned;
  }
}
