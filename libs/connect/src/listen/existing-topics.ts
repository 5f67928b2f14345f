import { Injectable } from '@nestjs/common';
import { Projects } from '#access';
import { acrossProjects, Database } from '#platform/database';
import { ReservedTopics, TopicMessages, type OwnedTopic, type TopicName } from '#platform/events';

/** Knows which topics exist: those of a connect session, of a quote, or with a stored message. */
@Injectable()
export class ExistingTopics {
  constructor(
    private readonly db: Database,
    private readonly messages: TopicMessages,
    private readonly reserved: ReservedTopics,
    private readonly projects: Projects,
  ) {}

  /** Returns those of the topics that exist, except those of suspended and deleted projects. */
  async among(topics: readonly TopicName[]): Promise<TopicName[]> {
    const owned = await this.ownedAmong(topics);
    const active = await this.activeOf(owned);
    return owned.filter(({ projectId }) => active.has(projectId));
  }

  /** Returns those of the topics that belong to suspended and deleted projects. */
  async stoppedAmong(topics: readonly TopicName[]): Promise<TopicName[]> {
    const owned = await this.ownedAmong(topics);
    const active = await this.activeOf(owned);
    return owned.filter(({ projectId }) => !active.has(projectId));
  }

  private async activeOf(owned: readonly OwnedTopic[]): Promise<Set<string>> {
    const ids = [...new Set(owned.map(({ projectId }) => projectId))];
    return new Set((await this.projects.listActive(ids)).map(({ id }) => id));
  }

  private async ownedAmong(topics: readonly TopicName[]): Promise<OwnedTopic[]> {
    if (topics.length === 0) return [];
    const ofSessions = await acrossProjects(() =>
      this.db.query<OwnedTopic>(
        `select wanted.organization_id as "organizationId", wanted.topic, s.project_id as "projectId"
         from unnest($1::uuid[], $2::text[]) as wanted (organization_id, topic)
         join connect_sessions s on s.organization_id = wanted.organization_id and s.idem = wanted.topic`,
        [topics.map(({ organizationId }) => organizationId), topics.map(({ topic }) => topic)],
      ),
    );
    const ofMessages = await this.messages.topicsWithMessages(topics);
    return [...ofSessions, ...ofMessages, ...(await this.reserved.among(topics))];
  }
}
