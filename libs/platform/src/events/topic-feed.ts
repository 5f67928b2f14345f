import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Config } from '#platform/config';
import { Notifications } from '#platform/database';
import { PeriodicTasks, SharedRuns } from '#platform/lifecycle';
import { LOGGER, type Logger } from '#platform/logging';
import { TopicMessages, type FoundMessage, type TopicMessage } from './topic-messages.js';
import { TOPICS_CHANNEL, topicKey } from './topics.js';

/** What one statement asks for, and brings, at most. */
const TOPICS_PER_READ = 1_000;
const MESSAGES_PER_READ = 1_000;

/** Who listens to a topic. */
export interface TopicListener {
  organizationId: string;
  topic: string;
  /** The last message that it has; null, or one that is not kept = whatever the topic has kept is new to it. */
  lastMessageId: string | null;
  /** Gets every message once and in order. Must not throw. */
  onMessages: (messages: readonly TopicMessage[]) => void;
}

interface Follower extends TopicListener {
  /** Of the last message that it got; null = it came after the current read began. */
  position: bigint | null;
}

interface FollowedTopic {
  organizationId: string;
  topic: string;
  followers: Set<Follower>;
}

/**
 * Tells the listeners of this process what is published, by whichever process. A notification only says that a topic is
 * worth reading; what is delivered comes from the table alone, read after the position of each listener, one read at a
 * time. So a notification that is lost delays a message by LISTEN_POLL_MS, one that comes twice does nothing, and whoever
 * begins to listen while something is published gets it from the first read or from the next.
 */
@Injectable()
export class TopicFeed implements OnApplicationBootstrap {
  private readonly followed = new Map<string, FollowedTopic>();
  private readonly due = new Set<FollowedTopic>();
  private readonly reads = new SharedRuns(() => this.readDue());

  constructor(
    private readonly messages: TopicMessages,
    private readonly notifications: Notifications,
    private readonly periodicTasks: PeriodicTasks,
    private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.notifications.subscribe({
      channel: TOPICS_CHANNEL,
      onMessage: (key) => {
        const followed = this.followed.get(key);
        if (followed !== undefined) this.wake([followed]);
      },
      onListening: () => this.wake(this.followed.values()),
    });
    this.periodicTasks.start('re-reading of topics', this.config.values.LISTEN_POLL_MS, () => this.readAll());
  }

  /** Begins with what the topic has kept. @returns what ends it. */
  follow(listener: TopicListener): () => void {
    const { organizationId, topic, lastMessageId } = listener;
    const key = topicKey(organizationId, topic);
    const followed = this.followed.get(key) ?? { organizationId, topic, followers: new Set() };
    const isId = lastMessageId !== null && isUUID(lastMessageId);
    const follower = { ...listener, lastMessageId: isId ? lastMessageId.toLowerCase() : null, position: null };
    followed.followers.add(follower);
    this.followed.set(key, followed);
    this.wake([followed]);
    return () => {
      followed.followers.delete(follower);
      if (followed.followers.size > 0 || this.followed.get(key) !== followed) return;
      this.followed.delete(key);
      this.due.delete(followed);
    };
  }

  private wake(topics: Iterable<FollowedTopic>): void {
    for (const followed of topics) this.due.add(followed);
    // What could not be read stays due, and the next look at all of them says so if it goes on.
    this.reads.run().catch((error: unknown) => this.logger.debug({ err: error }, 'topics not read'));
  }

  private async readAll(): Promise<void> {
    for (const followed of this.followed.values()) this.due.add(followed);
    if (this.due.size > 0) await this.reads.run();
  }

  private async readDue(): Promise<void> {
    while (this.due.size > 0) {
      const batch = [...this.due].slice(0, TOPICS_PER_READ);
      for (const followed of batch) this.due.delete(followed);
      let isComplete = false;
      try {
        isComplete = await this.read(batch.filter(({ followers }) => followers.size > 0));
      } finally {
        if (!isComplete) for (const followed of batch) if (followed.followers.size > 0) this.due.add(followed);
      }
    }
  }

  /** @returns whether these topics have nothing more. */
  private async read(batch: FollowedTopic[]): Promise<boolean> {
    if (batch.length === 0) return true;
    await this.findPositions(batch);
    const found = await this.messages.listAfter(
      batch.map((followed) => ({ ...followed, after: earliest(followed) })),
      MESSAGES_PER_READ,
    );
    for (const [index, followed] of batch.entries()) {
      const ofTopic = found.filter((one) => one.index === index);
      for (const follower of followed.followers) deliver(follower, ofTopic);
    }
    return found.length < MESSAGES_PER_READ;
  }

  /** Where the listeners stand that are new: at the message that they know, else before the first. */
  private async findPositions(batch: FollowedTopic[]): Promise<void> {
    const newcomers = batch.flatMap(({ followers }) => [...followers]).filter((follower) => follower.position === null);
    const resuming = newcomers.flatMap(({ organizationId, topic, lastMessageId: messageId }) =>
      messageId === null ? [] : [{ organizationId, topic, messageId }],
    );
    const positions = resuming.length === 0 ? null : await this.messages.positionsOf(resuming);
    for (const follower of newcomers) follower.position = positions?.get(follower.lastMessageId ?? '') ?? 0n;
  }
}

/** Where the listener that has least stands. */
function earliest({ followers }: FollowedTopic): bigint {
  const positions = [...followers].flatMap(({ position }) => (position === null ? [] : [position]));
  return positions.reduce((least, position) => (position < least ? position : least), positions[0] ?? 0n);
}

/** One that came while this was read may have missed what is before it: its topic is due again, and read from there. */
function deliver(follower: Follower, found: readonly FoundMessage[]): void {
  const { position: seen } = follower;
  const last = found.at(-1);
  if (seen === null || last === undefined || last.position <= seen) return;
  const news = found.filter(({ position }) => position > seen).map(({ message }) => message);
  follower.position = last.position;
  follower.onMessages(news);
}
