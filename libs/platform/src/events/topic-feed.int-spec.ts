import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { pino } from 'pino';
import { Config, testOverrides } from '#platform/config';
import type { Notifications } from '#platform/database';
import type { PeriodicTasks } from '#platform/lifecycle';
import { createTestModule, withoutRules, type TestModule } from '#platform/testing';
import { ExpiredTopicMessages } from './expired-events.js';
import { TopicFeed } from './topic-feed.js';
import { TopicMessages, type TopicMessage } from './topic-messages.js';
import { topicKey, Topics } from './topics.js';

const KEPT = 5;
const RUNS = 60;
/** More topics than one statement reads. */
const TOPICS = 2_500;

/** Notifications and periodic tasks under the control of a test. */
class ControlledProcess {
  notify: (key: string) => void;
  listenAgain: () => void;
  read: () => Promise<unknown>;

  readonly notifications: Pick<Notifications, 'subscribe'> = {
    subscribe: ({ onMessage, onListening }) => {
      this.notify = onMessage;
      this.listenAgain = onListening;
    },
  };
  readonly periodicTasks: Pick<PeriodicTasks, 'start'> = {
    start: (_name, _everyMs, work) => {
      this.read = work;
    },
  };
}

/** A listener of one topic that leaves and resumes after its last message. */
interface Listener {
  topic: number;
  received: TopicMessage[];
  leave: (() => void) | null;
}

const TOPICS_OF_MODEL = 2;
const LISTENERS_OF_TOPIC = 3;

function topicWithoutMessages(): { name: string; published: string[] } {
  return { name: randomUUID(), published: [] };
}

/** Two topics with their listeners, and the steps of the property test. */
class TopicsModel {
  private readonly topics = Array.from({ length: TOPICS_OF_MODEL }, topicWithoutMessages);
  private readonly listeners: Listener[] = Array.from({ length: TOPICS_OF_MODEL * LISTENERS_OF_TOPIC }, (_, index) => ({
    topic: index % TOPICS_OF_MODEL,
    received: [],
    leave: null,
  }));

  constructor(
    private readonly process: { feed: TopicFeed; around: ControlledProcess },
    private readonly organizationId: string,
    private readonly publishTo: (topic: string, walletId: string) => Promise<void>,
  ) {}

  async publish(topic: number): Promise<void> {
    const { name, published } = this.topicOf(topic);
    // At most KEPT messages are stored. With more messages, a listener that has left would miss the oldest messages.
    if (published.length === KEPT) return;
    published.push(String(published.length + 1));
    await this.publishTo(name, String(published.length));
  }

  notify(topic: number): void {
    this.process.around.notify(topicKey(this.organizationId, this.topicOf(topic).name));
  }

  notifyTwice(topic: number): void {
    this.notify(topic);
    this.notify(topic);
  }

  listenAgain(): void {
    this.process.around.listenAgain();
  }

  read(): void {
    void this.process.around.read();
  }

  async settle(): Promise<void> {
    await this.process.around.read();
  }

  come(topic: number, listener: number): void {
    this.admit(this.listenerOf(topic, listener));
  }

  leave(topic: number, listener: number): void {
    const left = this.listenerOf(topic, listener);
    left.leave?.();
    left.leave = null;
  }

  /** All listeners resume, and the feed reads all topics once more. */
  async allListenersResume(): Promise<void> {
    for (const listener of this.listeners) this.admit(listener);
    await this.process.around.read();
    for (const { leave } of this.listeners) leave?.();
  }

  outcome(): { received: unknown[]; published: string[] }[] {
    return this.listeners.map(({ topic, received }) => ({
      received: received.map(({ body }) => body.walletId),
      published: this.topicOf(topic).published,
    }));
  }

  private admit(listener: Listener): void {
    const lastMessageId = listener.received.at(-1)?.messageId ?? null;
    const onMessages = (messages: readonly TopicMessage[]): void => void listener.received.push(...messages);
    const { organizationId } = this;
    const topic = this.topicOf(listener.topic).name;
    listener.leave ??= this.process.feed.follow({ organizationId, topic, lastMessageId, onMessages });
  }

  private topicOf(index: number): { name: string; published: string[] } {
    const found = this.topics[index];
    if (found === undefined) throw new Error(`no topic ${index}`);
    return found;
  }

  private listenerOf(topic: number, index: number): Listener {
    const found = this.listeners.filter((listener) => listener.topic === topic)[index];
    if (found === undefined) throw new Error(`no listener ${index}`);
    return found;
  }
}

const step = fc.record({
  do: fc.constantFrom('publish', 'notify', 'notifyTwice', 'listenAgain', 'read', 'settle', 'come', 'leave'),
  topic: fc.nat(TOPICS_OF_MODEL - 1),
  listener: fc.nat(LISTENERS_OF_TOPIC - 1),
});

describe('the feed of topics', () => {
  let module: TestModule['module'];
  let database: TestModule['database'];
  let db: TestModule['db'];
  let close: TestModule['close'];
  const organizationId = randomUUID();
  const projectId = randomUUID();

  beforeAll(async () => {
    ({ module, database, db, close } = await createTestModule({
      providers: [ExpiredTopicMessages],
      env: testOverrides({ TOPIC_MESSAGES_MAX: KEPT }),
    }));
    const now = new Date();
    await db.query(`insert into organizations (id, name, created_at) values ($1, 'o', $2)`, [organizationId, now]);
    await db.query(
      `insert into projects (id, organization_id, name, mode, created_at) values ($1, $2, 'p', 'test', $3)`,
      [projectId, organizationId, now],
    );
  });
  afterAll(() => close());

  const publish = (topic: string, walletId: string): Promise<void> =>
    db.transaction((tx) =>
      module.get(Topics).publish(tx, {
        organizationId,
        projectId,
        topic,
        body: { type: 'oauth2', walletId, exchange: 'kraken' },
      }),
    );
  const newFeed = (): { feed: TopicFeed; around: ControlledProcess } => {
    const around = new ControlledProcess();
    const feed = new TopicFeed(
      module.get(TopicMessages),
      around.notifications as Notifications,
      around.periodicTasks as PeriodicTasks,
      pino({ level: 'silent' }),
    );
    feed.onApplicationBootstrap();
    return { feed, around };
  };
  const markers = (messages: readonly TopicMessage[]): (string | undefined)[] =>
    messages.map(({ body }) => body.walletId);

  it('delivers every message once and in order to every listener, with late, lost and repeated notifications', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const model = new TopicsModel(newFeed(), organizationId, publish);
        for (const one of steps) await model[one.do](one.topic, one.listener);
        await model.allListenersResume();
        for (const { received, published } of model.outcome()) expect(received).toEqual(published);
      }),
      { numRuns: RUNS },
    );
  }, 300_000);

  it('keeps the newest messages of a topic, and delivers later messages after all kept messages were erased', async () => {
    const { feed, around } = newFeed();
    const topic = randomUUID();
    const received: TopicMessage[] = [];
    const late: TopicMessage[] = [];
    for (let number = 1; number <= KEPT + 3; number++) await publish(topic, String(number));
    const follow = (into: TopicMessage[]): (() => void) =>
      feed.follow({ organizationId, topic, lastMessageId: null, onMessages: (messages) => into.push(...messages) });
    const leave = follow(received);
    await around.read();
    expect(markers(received)).toEqual(['4', '5', '6', '7', '8']);

    const { TOPIC_KEEP_SECONDS } = module.get(Config).constants;
    await withoutRules(
      database.ownerUrl,
      `update topic_messages set created_at = created_at - ${TOPIC_KEEP_SECONDS} * interval '1 second'`,
    );
    expect(await module.get(ExpiredTopicMessages).delete()).toBeGreaterThanOrEqual(KEPT);
    await publish(topic, '9');
    follow(late);
    await around.read();
    expect([markers(received).slice(KEPT), markers(late)]).toEqual([['9'], ['9']]);
    leave();
  });

  it('reads the messages of thousands of topics at once', async () => {
    const { feed, around } = newFeed();
    const topics = Array.from({ length: TOPICS }, () => randomUUID());
    let received = 0;
    const leaves = topics.map((topic) =>
      feed.follow({ organizationId, topic, lastMessageId: null, onMessages: ({ length }) => (received += length) }),
    );
    for (const topic of [topics[0], topics[TOPICS / 2], topics[TOPICS - 1]]) await publish(topic ?? '', '1');
    await around.read();
    expect(received).toBe(3);
    for (const leave of leaves) leave();
  });

  it('delivers concurrently published messages of one topic in the same order to all listeners', async () => {
    const topic = randomUUID();
    const feeds = [newFeed(), newFeed()];
    const received = feeds.map(({ feed }) => {
      const messages: TopicMessage[] = [];
      feed.follow({ organizationId, topic, lastMessageId: null, onMessages: (some) => messages.push(...some) });
      return messages;
    });
    const reading = feeds.map(({ around }) => around.read());
    await Promise.all(Array.from({ length: KEPT }, (_, index) => publish(topic, String(index))));
    await Promise.all([...reading, ...feeds.map(({ around }) => around.read())]);
    expect(received[0]).toHaveLength(KEPT);
    expect(received[0]).toEqual(received[1]);
  });
});
