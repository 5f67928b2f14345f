import { randomUUID } from 'node:crypto';
import { Topics } from '#platform/events';
import { until } from '#platform/testing';
import { EventsListening, SocketListening } from '../support/listen-client.js';
import { TestApp, type TestProjectWithClient } from '../support/test-app.js';

const TIMEOUT_MS = 300_000;
const ADDRESSES = 20;
const PER_ADDRESS = 2;
const LISTENERS_MAX = ADDRESSES * PER_ADDRESS;
/** Listeners without an API key may use three quarters of all places. */
const KEYLESS_MAX = 30;
const TRY_AGAIN_LATER = 1013;

type Opened = Awaited<ReturnType<typeof SocketListening.open>>;

describe('the places of listeners', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let callers = 0;
  let open: (SocketListening | EventsListening)[] = [];

  beforeAll(async () => {
    app = await TestApp.create({
      env: {
        TRUST_PROXY: 'true',
        LISTENERS_MAX: String(LISTENERS_MAX),
        LISTENERS_PER_ADDRESS: String(PER_ADDRESS),
      },
    });
    project = await app.project();
  }, TIMEOUT_MS);
  afterEach(async () => {
    for (const listening of open) await listening.close();
    open = [];
  });
  afterAll(() => app.close());

  const newAddress = (): Record<string, string> => ({ 'x-forwarded-for': `198.51.100.${++callers}` });
  const url = (kind: string, idem: string, organizationId = project.organizationId): string =>
    `${app.url}/v0/${kind}?idem=${idem}&orgId=${organizationId}`;
  const socket = async (idem: string, headers: Record<string, string>): Promise<Opened> => {
    const opened = await SocketListening.open(url('ws/oauth2/listen', idem, headers['x-svc-org-id']), { headers });
    if (opened instanceof SocketListening) open.push(opened);
    return opened;
  };
  const stream = async (idem: string, headers: Record<string, string>): Promise<EventsListening> => {
    const opened = await EventsListening.to(url('oauth2/events', idem), headers);
    open.push(opened);
    return opened;
  };
  const publish = (topic: string): Promise<void> =>
    app.db.transaction((tx) =>
      app.api.get(Topics).publish(tx, {
        organizationId: project.organizationId,
        projectId: project.projectId,
        topic,
        body: { type: 'oauth2', walletId: 'wallet-1', exchange: 'kraken' },
      }),
    );
  const newTopic = async (): Promise<string> => {
    const topic = randomUUID();
    await publish(topic);
    return topic;
  };
  /** Twenty addresses without an API key open as many WebSockets as they can. */
  const crowd = async (topicOf: () => Promise<string> | string): Promise<SocketListening[]> => {
    const opened: SocketListening[] = [];
    for (let address = 0; address < ADDRESSES; address++) {
      const headers = newAddress();
      for (let count = 0; count < PER_ADDRESS; count++) {
        const one = await socket(await topicOf(), headers);
        if (one instanceof SocketListening) opened.push(one);
      }
    }
    return opened;
  };
  const stillOpen = (all: readonly SocketListening[]): number => all.filter(({ code }) => code === null).length;

  it('are freed for a listener of a topic that exists by the oldest listener of a topic that does not exist', async () => {
    const strangers = await crowd(() => randomUUID());
    const topic = await newTopic();
    for (const listening of [await socket(topic, newAddress()), await stream(topic, newAddress())]) {
      if (!(listening instanceof SocketListening || listening instanceof EventsListening)) throw new Error('refused');
      expect(await listening.received(1)).toMatchObject([{ idem: topic }]);
    }
    await until('two strangers left', () => Promise.resolve(stillOpen(strangers) <= KEYLESS_MAX - 2));
    expect(strangers.find(({ code }) => code !== null)?.code).toBe(TRY_AGAIN_LATER);
    expect(stillOpen(strangers)).toBe(KEYLESS_MAX - 2);
    const poll = await app.http.with(newAddress()).get(url('oauth2/status', topic).replace(app.url, ''));
    expect(poll.status).toBe(200);
  });

  it('stay with the listeners of connect sessions, quotes and messages when others come', async () => {
    const session = randomUUID();
    await project.causeway.connect.link({ idem: session, walletId: 'wallet-1', exchange: 'kraken' });
    const tenants = [await socket(session, newAddress()), await socket(await newTopic(), newAddress())];
    await crowd(() => randomUUID());
    await crowd(() => randomUUID());
    expect(tenants.map((one) => (one instanceof SocketListening ? one.code : 'refused'))).toEqual([null, null]);
  });

  it('are refused to keyless clients when all are taken by listeners of topics that exist, and kept for API keys', async () => {
    const others = await crowd(newTopic);
    expect(others).toHaveLength(KEYLESS_MAX);
    expect(await socket(await newTopic(), newAddress())).toMatchObject({ status: 429 });
    const ours = [await socket(randomUUID(), project.headers), await stream(await newTopic(), project.headers)];
    expect(ours[0]).toBeInstanceOf(SocketListening);
    expect((ours[1] as EventsListening).answer.statusCode).toBe(200);
    expect(stillOpen(others)).toBe(KEYLESS_MAX);
  });

  it('of one topic are let go above ten listeners without an API key', async () => {
    const topic = await newTopic();
    const ofOneTopic = await crowd(() => topic);
    const another = await newTopic();
    // The process searches for listeners to let go once a second at most.
    await until('a place', async () => (await socket(another, newAddress())) instanceof SocketListening);
    await until('one listener left', () => Promise.resolve(stillOpen(ofOneTopic) < KEYLESS_MAX));
  });

  it('are at most half for one organization, whose listeners with an API key no address limits', async () => {
    const topic = await newTopic();
    const ours: Opened[] = [];
    for (let count = 0; count < LISTENERS_MAX / 2; count++) ours.push(await socket(topic, project.headers));
    expect(ours.every((one) => one instanceof SocketListening)).toBe(true);
    expect(await socket(topic, project.headers)).toMatchObject({ status: 429 });
    const other = await app.project();
    expect(await socket(topic, other.headers)).toBeInstanceOf(SocketListening);
  });

  it('are refused with 401 to a request with an API key that is wrong', async () => {
    const headers = { ...project.headers, 'x-svc-api-key': `${project.headers['x-svc-api-key'] ?? ''}x` };
    expect(await socket(randomUUID(), headers)).toMatchObject({ status: 401 });
  });
});
