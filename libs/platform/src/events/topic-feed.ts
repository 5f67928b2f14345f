import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Notifications } from '#platform/database';
import { PeriodicTasks, SharedRuns } from '#platform/lifecycle';
import { LOGGER, type Logger } from '#platform/logging';
import { TopicMessages, type FoundMessage, type TopicMessage } from './topic-messages.js';
import { TOPICS_CHANNEL, topicKey } from './topics.js';

/** Maximum number of topics that one statement reads, and of messages that it returns. */
const TOPICS_PER_READ = 1_000;
const MESSAGES_PER_READ = 1_000;

/** How often an API process reads messages for which it got no notification. */
const POLL_MS = 5_000;

export interface TopicListener {
  organizationId: string;
  topic: string;
  /**
   * Id of the last message that the listener has. With null or an unknown id, it gets all stored messages of the topic.
   */
  lastMessageId: string | null;
  /** Receives every message once and in order. Must not throw. */
  onMessages: (messages: readonly TopicMessage[]) => void;
}

interface Follower extends TopicListener {
  /** Position of the listener's last message, 0 = it has none; null until the next read has looked it up. */
  position: bigint | null;
}

interface FollowedTopic {
  organizationId: string;
  topic: string;
  followers: Set<Follower>;
}

/**
 * Delivers the messages of all processes to the listeners of this process. A notification only causes a read of the
 * topic. Messages always come from the table, after the position of each listener, and reads never overlap. A lost
 * notification therefore delays a message by POLL_MS at most, and a repeated one has no effect. A listener that is
 * added during a publication gets the message from the listener's first read or from the read after it.
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
    this.periodicTasks.start('re-reading of topics', POLL_MS, () => this.readAll());
  }

  /** Adds a listener, which first gets the stored messages. @returns the function that removes the listener. */
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
    // Topics that could not be read stay due. The next periodic read logs a failure that persists.
    this.reads
      .run()
      .catch((error: unknown) => this.logger.debug({ err: error }, 'the messages of topics were not read'));
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

  /** @returns whether all messages of these topics were read. */
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

  /** Sets the position of new listeners: at the last message that they have, else before the first one. */
  private async findPositions(batch: FollowedTopic[]): Promise<void> {
    const newcomers = batch.flatMap(({ followers }) => [...followers]).filter((follower) => follower.position === null);
    const resuming = newcomers.flatMap(({ organizationId, topic, lastMessageId: messageId }) =>
      messageId === null ? [] : [{ organizationId, topic, messageId }],
    );
    const positions = resuming.length === 0 ? null : await this.messages.positionsOf(resuming);
    for (const follower of newcomers) follower.position = positions?.get(follower.lastMessageId ?? '') ?? 0n;
  }
}

/** The lowest position of all listeners. */
function earliest({ followers }: FollowedTopic): bigint {
  const positions = [...followers].flatMap(({ position }) => (position === null ? [] : [position]));
  return positions.reduce((least, position) => (position < least ? position : least), positions[0] ?? 0n);
}

/**
 * Delivers the found messages to a listener. Skips a listener that was added during this read: its topic is due again,
 * and the next read starts at its position.
 */
function deliver(follower: Follower, found: readonly FoundMessage[]): void {
  const { position: seen } = follower;
  const last = found.at(-1);
  if (seen === null || last === undefined || last.position <= seen) return;
  const news = found.filter(({ position }) => position > seen).map(({ message }) => message);
  follower.position = last.position;
  follower.onMessages(news);
}
