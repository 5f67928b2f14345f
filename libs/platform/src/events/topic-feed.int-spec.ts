import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { Test, type TestingModule } from '@nestjs/testing';
import { pino } from 'pino';
import { PlatformModule } from '#platform/app';
import { Config, loadConfig } from '#platform/config';
import { Database, type Notifications } from '#platform/database';
import type { PeriodicTasks } from '#platform/lifecycle';
import { createTestDatabase, type TestDatabase } from '#platform/testing';
import { EraseExpiredTopicMessages } from './erase-expired-topic-messages.js';
import { TopicFeed } from './topic-feed.js';
import { TopicMessages, type TopicMessage } from './topic-messages.js';
import { topicKey, Topics } from './topics.js';

const KEPT = 5;
const RUNS = 60;
/** More than one statement asks for. */
const TOPICS = 2_500;

/** What the feed takes from its process, in the hands of a test: when notifications come, and when it looks by itself. */
class Surroundings {
  notify: (key: string) => void;
  listenAgain: () => void;
  look: () => Promise<unknown>;

  readonly notifications: Pick<Notifications, 'subscribe'> = {
    subscribe: ({ onMessage, onListening }) => {
      this.notify = onMessage;
      this.listenAgain = onListening;
    },
  };
  readonly periodicTasks: Pick<PeriodicTasks, 'start'> = {
    start: (_name, _everyMs, work) => {
      this.look = work;
    },
  };
}

/** Somebody who listens to one topic, goes, and comes back with the last message. */
interface Person {
  topic: number;
  heard: TopicMessage[];
  leave: (() => void) | null;
}

const TOPICS_OF_ROOM = 2;
const PERSONS_OF_TOPIC = 3;

function topicWithoutMessages(): { name: string; published: string[] } {
  return { name: randomUUID(), published: [] };
}

/** Two topics, those who listen to them, and what can happen. */
class Room {
  private readonly topics = Array.from({ length: TOPICS_OF_ROOM }, topicWithoutMessages);
  private readonly persons: Person[] = Array.from({ length: TOPICS_OF_ROOM * PERSONS_OF_TOPIC }, (_, index) => ({
    topic: index % TOPICS_OF_ROOM,
    heard: [],
    leave: null,
  }));

  constructor(
    private readonly process: { feed: TopicFeed; around: Surroundings },
    private readonly organizationId: string,
    private readonly tell: (topic: string, status: string) => Promise<void>,
  ) {}

  async publish(topic: number): Promise<void> {
    const { name, published } = this.topicOf(topic);
    // More would make those who are away miss what is no longer kept.
    if (published.length === KEPT) return;
    published.push(String(published.length + 1));
    await this.tell(name, String(published.length));
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

  look(): void {
    void this.process.around.look();
  }

  async settle(): Promise<void> {
    await this.process.around.look();
  }

  come(topic: number, person: number): void {
    this.admit(this.personOf(topic, person));
  }

  leave(topic: number, person: number): void {
    const someone = this.personOf(topic, person);
    someone.leave?.();
    someone.leave = null;
  }

  /** Whoever is away comes back, and everything is looked at once more. */
  async everybodyHears(): Promise<void> {
    for (const person of this.persons) this.admit(person);
    await this.process.around.look();
    for (const { leave } of this.persons) leave?.();
  }

  outcome(): { heard: unknown[]; published: string[] }[] {
    return this.persons.map(({ topic, heard }) => ({
      heard: heard.map(({ body }) => body.status),
      published: this.topicOf(topic).published,
    }));
  }

  private admit(person: Person): void {
    const lastMessageId = person.heard.at(-1)?.messageId ?? null;
    const onMessages = (messages: readonly TopicMessage[]): void => void person.heard.push(...messages);
    const { organizationId } = this;
    const topic = this.topicOf(person.topic).name;
    person.leave ??= this.process.feed.follow({ organizationId, topic, lastMessageId, onMessages });
  }

  private topicOf(index: number): { name: string; published: string[] } {
    const found = this.topics[index];
    if (found === undefined) throw new Error(`no topic ${index}`);
    return found;
  }

  private personOf(topic: number, index: number): Person {
    const found = this.persons.filter((person) => person.topic === topic)[index];
    if (found === undefined) throw new Error(`no person ${index}`);
    return found;
  }
}

const step = fc.record({
  do: fc.constantFrom('publish', 'notify', 'notifyTwice', 'listenAgain', 'look', 'settle', 'come', 'leave'),
  topic: fc.nat(TOPICS_OF_ROOM - 1),
  person: fc.nat(PERSONS_OF_TOPIC - 1),
});

describe('the feed of topics', () => {
  let module: TestingModule;
  let database: TestDatabase;
  let db: Database;
  const organizationId = randomUUID();
  const projectId = randomUUID();

  beforeAll(async () => {
    database = await createTestDatabase();
    const config = loadConfig({
      NODE_ENV: 'test',
      DATABASE_URL: database.appUrl,
      TOPIC_MESSAGES_MAX: String(KEPT),
      API_KEY_PEPPER: Buffer.alloc(32, 2).toString('base64'),
      VAULT_KEYS: `test:${Buffer.alloc(32, 1).toString('base64')}`,
    });
    module = await Test.createTestingModule({
      imports: [PlatformModule.forRoot(config, pino({ level: 'silent' }), 'test')],
      providers: [EraseExpiredTopicMessages],
    }).compile();
    db = module.get(Database);
    const now = new Date();
    await db.query(`insert into organizations (id, name, created_at) values ($1, 'o', $2)`, [organizationId, now]);
    await db.query(
      `insert into projects (id, organization_id, name, mode, created_at) values ($1, $2, 'p', 'test', $3)`,
      [projectId, organizationId, now],
    );
  });
  afterAll(async () => {
    await module.close();
    await database.drop();
  });

  const publish = (topic: string, status: string): Promise<void> =>
    db.transaction((tx) =>
      module.get(Topics).publish(tx, {
        organizationId,
        projectId,
        topic,
        body: { type: 'connect', walletId: 'w', exchange: 'kraken', status },
      }),
    );
  const newFeed = (): { feed: TopicFeed; around: Surroundings } => {
    const around = new Surroundings();
    const feed = new TopicFeed(
      module.get(TopicMessages),
      around.notifications as Notifications,
      around.periodicTasks as PeriodicTasks,
      module.get(Config),
      pino({ level: 'silent' }),
    );
    feed.onApplicationBootstrap();
    return { feed, around };
  };
  const statuses = (messages: readonly TopicMessage[]): (string | undefined)[] =>
    messages.map(({ body }) => body.status);

  it('tells everybody every message once and in order, whatever comes when, is lost, or comes twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const room = new Room(newFeed(), organizationId, publish);
        for (const one of steps) await room[one.do](one.topic, one.person);
        await room.everybodyHears();
        for (const { heard, published } of room.outcome()) expect(heard).toEqual(published);
      }),
      { numRuns: RUNS },
    );
  }, 120_000);

  it('keeps the newest messages of a topic, and goes on in their order when all of them are erased', async () => {
    const { feed, around } = newFeed();
    const topic = randomUUID();
    const heard: TopicMessage[] = [];
    const late: TopicMessage[] = [];
    for (let number = 1; number <= KEPT + 3; number++) await publish(topic, String(number));
    const follow = (into: TopicMessage[]): (() => void) =>
      feed.follow({ organizationId, topic, lastMessageId: null, onMessages: (messages) => into.push(...messages) });
    const leave = follow(heard);
    await around.look();
    expect(statuses(heard)).toEqual(['4', '5', '6', '7', '8']);

    const { TOPIC_KEEP_SECONDS } = module.get(Config).values;
    await db.query(`update topic_messages set created_at = created_at - $1 * interval '1 second'`, [
      TOPIC_KEEP_SECONDS,
    ]);
    expect(await module.get(EraseExpiredTopicMessages).execute()).toBeGreaterThanOrEqual(KEPT);
    await publish(topic, '9');
    follow(late);
    await around.look();
    expect([statuses(heard).slice(KEPT), statuses(late)]).toEqual([['9'], ['9']]);
    leave();
  });

  it('reads for thousands of topics at once', async () => {
    const { feed, around } = newFeed();
    const topics = Array.from({ length: TOPICS }, () => randomUUID());
    let heard = 0;
    const leaves = topics.map((topic) =>
      feed.follow({ organizationId, topic, lastMessageId: null, onMessages: ({ length }) => (heard += length) }),
    );
    for (const topic of [topics[0], topics[TOPICS / 2], topics[TOPICS - 1]]) await publish(topic ?? '', '1');
    await around.look();
    expect(heard).toBe(3);
    for (const leave of leaves) leave();
  });

  it('lets messages of one topic that are published at once come in one order to everybody', async () => {
    const topic = randomUUID();
    const feeds = [newFeed(), newFeed()];
    const heard = feeds.map(({ feed }) => {
      const messages: TopicMessage[] = [];
      feed.follow({ organizationId, topic, lastMessageId: null, onMessages: (some) => messages.push(...some) });
      return messages;
    });
    const looking = feeds.map(({ around }) => around.look());
    await Promise.all(Array.from({ length: KEPT }, (_, index) => publish(topic, String(index))));
    await Promise.all([...looking, ...feeds.map(({ around }) => around.look())]);
    expect(heard[0]).toHaveLength(KEPT);
    expect(heard[0]).toEqual(heard[1]);
  });
});
