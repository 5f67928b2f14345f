import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { Topics, type TopicMessage, type ConnectMessageBody } from '#platform/events';
import { BuiltProcess } from '../support/built-process.js';
import { EventsListening, SocketListening } from '../support/listen-client.js';
import { TestApp, type TestProjectWithClient } from '../support/test-app.js';

const TIMEOUT_MS = 300_000;

/** Two API processes share one database: listeners of one process get the messages that the other one publishes. */
describe('listening', () => {
  let app: TestApp;
  let other: BuiltProcess;
  let otherUrl: string;
  let project: TestProjectWithClient;
  let foreign: TestProjectWithClient;

  beforeAll(async () => {
    app = await TestApp.create({ env: { PORT: '0', METRICS_PORT: '0' }, overrides: { LISTEN_HEARTBEAT_MS: 200 } });
    other = BuiltProcess.start('api', app.env);
    otherUrl = await other.address();
    project = await app.project();
    foreign = await app.project();
  }, TIMEOUT_MS);
  afterAll(async () => {
    other.child.kill('SIGTERM');
    await other.exitCode();
    await app.close();
  });

  const path = (kind: 'ws/oauth2/listen' | 'oauth2/events', idem: string, more = ''): string =>
    `/v0/${kind}?idem=${idem}&orgId=${project.organizationId}${more}`;
  const socket = (idem: string, more = '', url = app.url): Promise<SocketListening> =>
    SocketListening.to(`${url}${path('ws/oauth2/listen', idem, more)}`);
  const events = (idem: string, headers: Record<string, string> = {}, url = app.url): Promise<EventsListening> =>
    EventsListening.to(`${url}${path('oauth2/events', idem)}`, headers);
  const publish = (topic: string, body: Partial<ConnectMessageBody> = {}, of = project): Promise<void> =>
    app.db.transaction((tx) =>
      app.api.get(Topics).publish(tx, {
        organizationId: of.organizationId,
        projectId: of.projectId,
        topic,
        body: { type: 'oauth2', success: true, walletId: 'wallet-1', exchange: 'kraken', ...body },
      }),
    );
  const publishNumbered = async (topic: string, from: number, to: number): Promise<void> => {
    for (let number = from; number <= to; number++) await publish(topic, { walletId: String(number) });
  };
  const numbers = (messages: readonly TopicMessage[]): number[] => messages.map(({ body }) => Number(body.walletId));
  const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

  it('delivers a message to a WebSocket at another API process in exactly the documented form', async () => {
    const idem = randomUUID();
    const heard = await socket(idem, '', otherUrl);
    await publish(idem);
    const [message] = await heard.received(1);
    expect(message).toEqual({
      messageId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      idem,
      timestamp: expect.any(Number) as number,
      body: { type: 'oauth2', success: true, walletId: 'wallet-1', exchange: 'kraken' },
    });
    await heard.close();
  });

  it('delivers to an event stream the same messages as to a WebSocket, with ids, retry time, heartbeats and headers', async () => {
    const idem = randomUUID();
    const [stream, heard] = [await events(idem, {}, otherUrl), await socket(idem)];
    await publish(idem, { type: 'qr_code_auth', success: undefined, qrCodeStatus: 'scanned' });
    await publish(idem);
    expect(await stream.received(2)).toEqual(await heard.received(2));
    expect(stream.messages[0]?.body).not.toHaveProperty('success');
    expect(stream.ids).toEqual(heard.messages.map(({ messageId }) => messageId));
    expect(stream.retryMs).toBeGreaterThan(0);
    expect(stream.answer.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': '*',
      'x-request-id': expect.any(String) as string,
    });
    expect(stream.answer.headers['content-encoding']).toBeUndefined();
    await stream.heartbeats(2);
    await stream.close();
    await heard.close();
  });

  it('accepts the organization id in the header x-svc-org-id', async () => {
    const idem = randomUUID();
    const headers = { 'x-svc-org-id': project.organizationId.toUpperCase() };
    const heard = await SocketListening.to(`${app.url}/v0/ws/oauth2/listen?idem=${idem}`, { headers });
    await publish(idem);
    await heard.received(1);
    await heard.close();
  });

  it('begins with the stored messages of the topic, in order', async () => {
    const idem = randomUUID();
    await publishNumbered(idem, 1, 5);
    const heard = await socket(idem);
    expect(numbers(await heard.received(5))).toEqual(upTo(5));
    await heard.close();
  });

  it('continues after the last received message at either API process, without loss or duplicates', async () => {
    const idem = randomUUID();
    const count = 60;
    const published = publishNumbered(idem, 1, count);
    const heard: TopicMessage[] = [];
    for (let turn = 0; heard.length < count; turn++) {
      const last = heard.at(-1)?.messageId ?? '';
      const url = turn % 2 === 0 ? app.url : otherUrl;
      const listening =
        turn % 4 < 2
          ? await socket(idem, `&lastMessageId=${last}`, url)
          : await events(idem, { 'last-event-id': last }, url);
      await listening.received(Math.min(7, count - heard.length));
      await listening.close();
      heard.push(...listening.messages);
    }
    await published;
    expect(numbers(heard)).toEqual(upTo(count));
  });

  it('begins with all stored messages when the last message id belongs to no message of the topic', async () => {
    const [idem, elsewhere] = [randomUUID(), randomUUID()];
    await publishNumbered(idem, 1, 2);
    await publish(elsewhere);
    const other = await socket(elsewhere);
    const [message] = await other.received(1);
    await other.close();
    for (const last of [message?.messageId ?? '', randomUUID(), 'no-id']) {
      const heard = await socket(idem, `&lastMessageId=${last}`);
      expect(numbers(await heard.received(2))).toEqual([1, 2]);
      await heard.close();
    }
  });

  it('continues after the database connection of the listeners is lost', async () => {
    const idem = randomUUID();
    const [here, there] = [await socket(idem), await socket(idem, '', otherUrl)];
    await publishNumbered(idem, 1, 3);
    const cut = await app.db.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'causeway-api-listen' and datname = current_database()`,
    );
    expect(cut).toHaveLength(2);
    await publishNumbered(idem, 4, 8);
    for (const heard of [here, there]) {
      expect(numbers(await heard.received(8))).toEqual(upTo(8));
      await heard.close();
    }
  });

  it('delivers no message of another organization that uses the same idem', async () => {
    const idem = randomUUID();
    const spy = await SocketListening.to(`${app.url}/v0/ws/oauth2/listen?idem=${idem}&orgId=${foreign.organizationId}`);
    const heard = await socket(idem);
    await publish(idem, { walletId: 'theirs' });
    await heard.received(1);
    await publish(idem, { walletId: 'ours' }, foreign);
    expect((await spy.received(1)).map(({ body }) => body.walletId)).toEqual(['ours']);
    expect(heard.messages).toHaveLength(1);
    await spy.close();
    await heard.close();
  });

  it('ignores messages of the client, and closes the socket after a message that is too large', async () => {
    const idem = randomUUID();
    const heard = await socket(idem);
    heard.socket.send('anything');
    await publish(idem);
    await heard.received(1);
    heard.socket.send('x'.repeat(2_000));
    await heard.over();
    expect(heard.code).toBe(1009);
  });

  it('closes a socket whose client no longer responds', async () => {
    const options = { autoPong: false };
    const gone = await SocketListening.to(`${app.url}${path('ws/oauth2/listen', randomUUID())}`, options);
    await gone.over();
    expect(gone.code).toBe(1006);
  });

  it.each(['ws/oauth2/listen', 'oauth2/events', 'oauth2/status'])(
    'refuses an invalid topic or organization, and names the parameter: %s',
    async (kind) => {
      const org = project.organizationId;
      const bad = [
        [`idem=short&orgId=${org}`, 'idem'],
        [`orgId=${org}`, 'idem'],
        [`idem=${randomUUID()}`, 'orgId'],
        [`idem=${randomUUID()}&orgId=nobody`, 'orgId'],
      ];
      interface Refusal {
        type: string;
        error: string;
        result: { fields: { field: string }[] };
      }
      for (const [query = '', field] of bad) {
        const { status, body } = await app.http.get<Refusal>(`/v0/${kind}?${query}`);
        expect([status, body.type, body.result.fields[0]?.field]).toEqual([400, 'GENERIC_VALIDATION_ERROR', field]);
        if (!query.includes(`${field}=`)) expect(body.error).toContain('is required');
      }
    },
  );

  it('refuses an upgrade with an invalid topic, and a request without an upgrade at the path of the WebSocket', async () => {
    const refused = await SocketListening.open(
      `${app.url}/v0/ws/oauth2/listen?idem=short&orgId=${project.organizationId}`,
    );
    expect(refused).toMatchObject({ status: 400 });
    expect(JSON.parse((refused as { body: string }).body)).toMatchObject({ type: 'GENERIC_VALIDATION_ERROR' });
    const { status, body } = await app.http.get(path('ws/oauth2/listen', randomUUID()));
    expect([status, body.type]).toEqual([400, 'GENERIC_INVALID_REQUEST']);
  });

  it('returns the request id of the caller in the upgrade response', async () => {
    const url = `${app.url}${path('ws/oauth2/listen', randomUUID())}`.replace(/^http/, 'ws');
    const socket = new WebSocket(url, { headers: { 'x-request-id': 'my socket' } });
    const closed = once(socket, 'close');
    socket.once('open', () => socket.close());
    const [answer] = (await once(socket, 'upgrade')) as [IncomingMessage];
    expect([answer.statusCode, answer.headers['x-request-id']]).toEqual([101, 'my socket']);
    await closed;
  });

  it('opens a WebSocket only at the path of the WebSocket', async () => {
    const refused = await SocketListening.open(`${app.url}/v0/wallet/list`);
    expect(refused).toMatchObject({ status: 401 });
    const unknown = await SocketListening.open(`${app.url}/v0/no/such/path`);
    expect(unknown).toMatchObject({ status: 404 });
  });
});
