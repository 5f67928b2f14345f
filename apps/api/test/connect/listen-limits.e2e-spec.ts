import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import type { ClientOptions } from 'ws';
import { Topics } from '#platform/events';
import { Shutdown } from '#platform/lifecycle';
import { Metrics } from '#platform/metrics';
import { until } from '#platform/testing';
import { EventsListening, SocketListening } from '../support/listen-client.js';
import { sendRaw } from '../support/raw-http.js';
import { ADMIN_TOKEN, TestApp, type TestProjectWithClient } from '../support/test-app.js';

const TIMEOUT_MS = 300_000;
const BIG = 'x'.repeat(200_000);
/** Maximum number of messages with the text BIG: enough to fill the socket buffers of the server and of a client. */
const BIG_MESSAGES_MAX = 200;

describe('the limits of listening', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let callers = 0;

  beforeAll(async () => {
    app = await TestApp.create({
      env: {
        TRUST_PROXY: 'true',
        LISTENERS_MAX: '9',
        LISTENERS_PER_ADDRESS: '2',
      },
      overrides: {
        LISTEN_BUFFER_BYTES: 1_024,
        LISTEN_PER_MINUTE: 12,
        LISTEN_SECONDS: 10,
        LISTEN_HEARTBEAT_MS: 300_000,
      },
    });
    project = await app.project();
  }, TIMEOUT_MS);
  afterAll(() => app.close());

  const newCaller = (): { headers: Record<string, string> } => ({
    headers: { 'x-forwarded-for': `198.51.100.${++callers}` },
  });
  const url = (kind: string, idem: string = randomUUID()): string =>
    `${app.url}/v0/${kind}?idem=${idem}&orgId=${project.organizationId}`;
  const open = (options: ClientOptions, idem?: string): ReturnType<typeof SocketListening.open> =>
    SocketListening.open(url('ws/oauth2/listen', idem), options);
  const socket = (options: ClientOptions, idem?: string): Promise<SocketListening> =>
    SocketListening.to(url('ws/oauth2/listen', idem), options);
  const events = ({ headers }: { headers: Record<string, string> }, idem?: string): Promise<EventsListening> =>
    EventsListening.to(url('oauth2/events', idem), headers);
  const publish = (topic: string, walletId: string): Promise<void> =>
    app.db.transaction((tx) =>
      app.api.get(Topics).publish(tx, {
        organizationId: project.organizationId,
        projectId: project.projectId,
        topic,
        body: { type: 'oauth2', walletId, exchange: 'kraken' },
      }),
    );
  const metric = async (name: string, kind: string): Promise<number> => {
    const found = await app.api.get(Metrics).registry.getSingleMetric(name)?.get();
    return found?.values.find(({ labels }) => labels.kind === kind)?.value ?? 0;
  };
  /** Waits until the server has noticed the end of all connections. */
  const nobodyListens = (): Promise<void> =>
    until(
      'nobody listens',
      async () =>
        (await metric('causeway_listeners', 'websocket')) + (await metric('causeway_listeners', 'events')) === 0,
    );
  const isFull = { status: 429, headers: { 'retry-after': expect.stringMatching(/^[1-9]/) as string } };

  it('refuse, with retry-after, more listeners of one address or of all than allowed; closed listeners do not count', async () => {
    const [first, second, third, fourth] = [newCaller(), newCaller(), newCaller(), newCaller()];
    // Listeners of a topic that exists keep their places.
    const idem = randomUUID();
    await publish(idem, 'wallet-1');
    const ofFirst = await socket(first, idem);
    const all = [ofFirst, await events(first, idem)];
    expect(await open(first, idem)).toMatchObject(isFull);
    const refused = await events(first, idem);
    expect([refused.answer.statusCode, refused.answer.headers['access-control-allow-origin']]).toEqual([429, '*']);
    for (const caller of [second, second, third, third]) all.push(await socket(caller, idem));
    all.push(await socket(fourth, idem));
    expect(await open(fourth, idem)).toMatchObject(isFull);
    expect([await metric('causeway_listeners', 'websocket'), await metric('causeway_listeners', 'events')]).toEqual([
      6, 1,
    ]);

    for (const listening of all) await listening.close();
    await nobodyListens();
    await (await socket(first)).close();
    await nobodyListens();
  });

  it('bound the listeners of all addresses in one IPv6 /48 together', async () => {
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
    const ofOne = [await socket(from('2001:db8:1:1::1')), await events(from('2001:db8:1:2::1'))];
    expect(await open(from('2001:db8:1:3::1'))).toMatchObject(isFull);
    const ofAnother = await socket(from('2001:db8:2:3::1'));
    for (const listening of [...ofOne, ofAnother]) await listening.close();
    await nobodyListens();
  });

  it('do not count a failed WebSocket handshake as a listener', async () => {
    const caller = newCaller();
    const id = 'a broken handshake';
    const upgrade = { upgrade: 'websocket', connection: 'upgrade', 'sec-websocket-version': '1' };
    for (let count = 0; count < 3; count++) {
      const headers = { ...caller.headers, ...upgrade, 'x-request-id': id };
      const answer = await sendRaw(url('ws/oauth2/listen'), headers);
      expect([answer.status, answer.headers['x-request-id']]).toEqual([400, id]);
      const refusal = { type: 'GENERIC_VALIDATION_ERROR', requestId: id, result: { fields: [{ field: 'request' }] } };
      expect(JSON.parse(answer.body.toString())).toMatchObject(refusal);
    }
    await (await socket(caller)).close();
    await nobodyListens();
  });

  it('do not count a client that disconnected before its request was served', async () => {
    const caller = newCaller();
    const origin = 'https://page.example';
    const lines = [
      `GET ${url('oauth2/events').replace(app.url, '')} HTTP/1.1`,
      'host: api',
      `origin: ${origin}`,
      `x-forwarded-for: ${caller.headers['x-forwarded-for']}`,
    ];
    const server = app.api.getHttpServer();
    const connections = (): Promise<number> =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
      );
    const before = await connections();
    // After this minute, the cached list of registered origins has expired. A request with an origin then reads the
    // list from the locked table.
    app.clock.advance(60_000);
    const held = await app.holdTable('connect_projects');
    const clients = [1, 2].map(() => connect(Number(new URL(app.url).port), '127.0.0.1'));
    for (const client of clients) client.on('error', () => undefined).write(`${lines.join('\r\n')}\r\n\r\n`);
    await until('both are connected', async () => (await connections()) >= before + clients.length);
    await held.isWaitedFor();
    for (const client of clients) client.resetAndDestroy();
    await until('both connections are closed', async () => (await connections()) <= before);
    const patient = events({ headers: { ...caller.headers, origin } });
    await held.release();
    const all = [await patient, await events(caller)];
    expect(all.map(({ answer }) => answer.statusCode)).toEqual([200, 200]);
    for (const listening of all) await listening.close();
    await nobodyListens();
  });

  it('count the polls, WebSockets and event streams of one address together', async () => {
    const caller = newCaller();
    const client = app.http.with(caller.headers);
    for (let count = 0; count < 12; count++) {
      expect((await client.get(url('oauth2/status').replace(app.url, ''))).status).toBe(404);
    }
    expect((await client.get(url('oauth2/status').replace(app.url, ''))).status).toBe(429);
    expect(await open(caller)).toMatchObject(isFull);
    expect((await events(caller)).answer.statusCode).toBe(429);
  });

  it(
    'disconnect listeners that do not read, and no other listener',
    async () => {
      const idem = randomUUID();
      const [eager, slowSocket, slowStream] = [
        await socket(newCaller(), idem),
        await socket(newCaller(), idem),
        await events(newCaller(), idem),
      ];
      slowSocket.socket.pause();
      slowStream.answer.pause();
      const cutOff = async (): Promise<number> =>
        (await metric('causeway_listeners_cut_off_total', 'websocket')) +
        (await metric('causeway_listeners_cut_off_total', 'events'));
      let count = 0;
      while ((await cutOff()) < 2 && count < BIG_MESSAGES_MAX) {
        await publish(idem, BIG);
        await eager.received(++count);
      }
      expect(await cutOff()).toBe(2);
      slowSocket.socket.resume();
      slowStream.answer.resume();
      await Promise.all([slowSocket.over(), slowStream.over()]);
      await publish(idem, 'last');
      expect((await eager.received(count + 1)).at(-1)?.body.walletId).toBe('last');
      expect(await metric('causeway_listener_messages_total', 'websocket')).toBeGreaterThan(count);
      await eager.close();
      await nobodyListens();
    },
    TIMEOUT_MS,
  );

  it('disconnect a WebSocket whose client keeps sending frames', async () => {
    const flood = await socket(newCaller());
    for (let count = 0; count < 30; count++) flood.socket.send('x'.repeat(900));
    await flood.over();
    expect(flood.code).toBe(1006);
    await nobodyListens();
  });

  it(
    'end a connection after LISTEN_SECONDS, with close code 1001',
    async () => {
      const [heard, stream] = [await socket(newCaller()), await events(newCaller())];
      await Promise.all([heard.over(TIMEOUT_MS), stream.over(TIMEOUT_MS)]);
      expect(heard.code).toBe(1001);
      expect(heard.reason).not.toBe('');
    },
    TIMEOUT_MS,
  );

  it('end a HEAD request of the event stream at once', async () => {
    const status = await new Promise((resolve, reject) => {
      const sent = request(url('oauth2/events'), { method: 'HEAD', agent: false, ...newCaller() });
      sent.on('response', (answer) => answer.resume().on('end', () => resolve(answer.statusCode))).on('error', reject);
      sent.end();
    });
    expect(status).toBe(200);
    expect(await metric('causeway_listeners', 'events')).toBe(0);
  });

  it('do not affect ordinary requests that offer an upgrade to HTTP/2', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const offer = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' };
    for (const name of ['short', 'y'.repeat(150), 'short again']) {
      const answer = await new Promise<{ status?: number; body: string }>((resolve, reject) => {
        const headers = { ...offer, authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' };
        const sent = request(`${app.url}/v0/admin/organizations`, { method: 'POST', headers, agent });
        sent.on('error', reject).on('response', (response) => {
          let body = '';
          response.on('data', (part: Buffer) => (body += part.toString()));
          response.on('end', () => resolve({ status: response.statusCode, body }));
        });
        sent.write(`{"name":`);
        sent.end(`"${name}"}`);
      });
      expect([answer.status, (JSON.parse(answer.body) as { name?: string }).name]).toEqual([201, name]);
    }
    agent.destroy();
  });

  it('disconnect every listener when the process stops, even an unresponsive listener, and admit no new listener', async () => {
    const [heard, stream, deaf] = [await socket(newCaller()), await events(newCaller()), await socket(newCaller())];
    deaf.socket.pause();
    await app.api.get(Shutdown).begin();
    await Promise.all([heard.over(), stream.over()]);
    expect([heard.code, heard.reason]).toEqual([1001, 'the service is stopping']);
    expect(await open(newCaller())).toMatchObject({ status: 503 });
    deaf.socket.resume();
    await deaf.over();
  });
});
