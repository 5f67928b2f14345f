import { Injectable } from '@nestjs/common';

/** @returns whether the topic belongs to the lib that has registered this check */
type OwnsTopic = (organizationId: string, topic: string) => Promise<boolean>;

/**
 * Knows which topics a caller cannot choose, because they are ids of objects of the service. Such an id is a topic from
 * the creation of the object, before its first message. The lib that owns the objects registers a check at the start.
 */
@Injectable()
export class ReservedTopics {
  private readonly checks: OwnsTopic[] = [];

  reserve(check: OwnsTopic): void {
    this.checks.push(check);
  }

  async has(organizationId: string, topic: string): Promise<boolean> {
    for (const owns of this.checks) if (await owns(organizationId, topic)) return true;
    return false;
  }
}
