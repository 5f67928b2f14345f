import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { until } from '#platform/testing';
import { TestApp, type TestProjectWithClient } from '../support/test-app.js';

const TIMEOUT_MS = 300_000;
const HEADERS_MS = 1_000;
/** More than a second above HEADERS_MS, because the server checks its limits once a second. */
const IDLE_MS = 2_500;
const ANSWER_MS = 3_000;
/** Tolerance for time limits on a slow machine. */
const LATE_MS = 2_000;
/** Tolerance for timers, which the event loop may run some milliseconds early. */
const EARLY_MS = 20;

describe('connections', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let port: number;

  beforeAll(async () => {
    app = await TestApp.create({
      env: {
        CONNECTION_IDLE_MS: String(IDLE_MS),
        CONNECTIONS_PER_ADDRESS: '60',
      },
      overrides: { HEADERS_TIMEOUT_MS: HEADERS_MS, RESPONSE_TIMEOUT_MS: ANSWER_MS },
    });
    project = await app.project();
    port = Number(new URL(app.url).port);
  }, TIMEOUT_MS);
  afterAll(() => app.close());

  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };
  const count = (): Promise<number> =>
    new Promise((resolve, reject) => {
      app.api.getHttpServer().getConnections((error, found) => (error === null ? resolve(found) : reject(error)));
    });
  /** Waits until the server has at most this many connections. */
  const atMost = (most: number): Promise<void> =>
    until(`at most ${most} connections`, async () => (await count()) <= most);
  /** Returns everything that the server sends until it closes the connection. */
  const heard = async (socket: Socket): Promise<string> => {
    let text = '';
    socket.on('data', (part: Buffer) => (text += part.toString('latin1')));
    await once(socket, 'close');
    return text;
  };
  const descriptors = (): number => readdirSync('/proc/self/fd').length;
  const listenPath = (): string => `/v0/ws/oauth2/listen?idem=${randomUUID()}&orgId=${project.organizationId}`;
  const upgrade = (headers: string[] = []): string =>
    [
      `GET ${listenPath()} HTTP/1.1`,
      ...['host: api', 'upgrade: websocket', 'connection: upgrade', 'sec-websocket-version: 13'],
      ...['sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==', ...headers, '', ''],
    ].join('\r\n');
  const probe = 'GET /livez HTTP/1.1\r\nhost: api\r\n\r\n';

  it('are all closed after clients that pipelined an upgrade have left', async () => {
    const before = await count();
    const clients = await Promise.all(Array.from({ length: 50 }, open));
    for (const client of clients) client.end(probe.replace('livez', 'readyz') + upgrade());
    await atMost(before);
    expect((await app.http.get('/livez')).status).toBe(200);
  });

  it('leave no error in the log when their client resets them before they are accepted', async () => {
    const before = await count();
    const logged = app.logLines.length;
    const events = listenPath().replace('ws/oauth2/listen', 'oauth2/events');
    const leave = `
      const socket = require('node:net').connect(${port}, '127.0.0.1', () => {
        socket.write('GET ${events} HTTP/1.1\\r\\nhost: api\\r\\n\\r\\n', () => socket.resetAndDestroy());
      });`;
    // This process runs the server, which accepts no connection until the child process has ended.
    execFileSync(process.execPath, ['-e', leave]);
    expect((await app.http.get('/livez')).status).toBe(200);
    await atMost(before + 1);
    expect(app.logLines.slice(logged).filter((line) => line.includes('"level":50'))).toEqual([]);
  });

  it('take no place in the admission while the body of their request is incomplete', async () => {
    const before = await count();
    const clients = await Promise.all(Array.from({ length: 40 }, open));
    const head = ['POST /v0/wallet/withdraw/quote HTTP/1.1', 'host: api', 'content-type: application/json'];
    for (const client of clients) client.write([...head, 'content-length: 100', '', '{'].join('\r\n'));
    await until('all are connected', async () => (await count()) >= before + clients.length);
    for (let call = 0; call < 3; call++) expect((await project.http.get('/v0/wallet/kyc')).status).not.toBe(503);
    for (const client of clients) client.destroy();
    await atMost(before);
  });

  it('leave no file open after a client has pipelined 600 downloads', async () => {
    await (await fetch(`${app.url}/docs/swagger-ui-bundle.js`)).arrayBuffer();
    const [before, files] = [await count(), descriptors()];
    const client = await open();
    const one = 'GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nhost: api\r\n\r\n';
    client.pause().write(one.repeat(600));
    await once(client.resume(), 'close');
    await atMost(before);
    expect(descriptors()).toBeLessThanOrEqual(files);
  });

  it('are closed when a client pipelines 400 requests, but serve 20 pipelined requests', async () => {
    const few = await open();
    few.end(probe.repeat(20));
    expect((await heard(few)).match(/HTTP\/1\.1 200/g)).toHaveLength(20);
    const many = await open();
    many.write(probe.repeat(400));
    await once(many.resume(), 'close');
    expect((await app.http.get('/livez')).status).toBe(200);
  });

  it('send no response for unreadable bytes that follow a request in progress', async () => {
    const credentials = Object.entries(project.headers).map(([name, value]) => `${name}: ${value}`);
    const list = ['GET /v0/wallet/transactions HTTP/1.1', 'host: api', ...credentials, '', ''].join('\r\n');
    await project.http.get('/v0/wallet/transactions');
    const table = await app.holdTable('transactions');
    const client = await open();
    const answer = heard(client);
    client.write(probe + list);
    await table.isWaitedFor();
    client.write('garbage\r\n\r\n');
    expect((await answer).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
    await table.release();
  });

  it('send no second response when the rest of a refused request is unreadable', async () => {
    const client = await open();
    const answer = heard(client);
    // The API refuses a body without the content type JSON before the body arrives.
    client.write('GET /v0/wallet HTTP/1.1\r\nhost: api\r\ntransfer-encoding: chunked\r\n\r\n');
    await once(client, 'data');
    client.write('garbage\r\n');
    expect((await answer).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
  });

  it.each(['normal requests', 'upgrades', 'offers of HTTP/2'])('refuse %s with more than 100 headers', async (kind) => {
    const many = Array.from({ length: 1_100 }, (_, index) => `x-${index}: 1`);
    const smuggled = 'DELETE /v0/wallet HTTP/1.1\r\nhost: api\r\n\r\n';
    const last = [...many, `content-length: ${smuggled.length}`];
    const heads: Record<string, string> = {
      'normal requests': ['POST /v0/none HTTP/1.1', 'host: api', ...last, '', ''].join('\r\n'),
      upgrades: upgrade(many),
      'offers of HTTP/2': [
        'POST /v0/none HTTP/1.1',
        ...['host: api', 'upgrade: h2c', 'connection: upgrade', ...last, '', ''],
      ].join('\r\n'),
    };
    const client = await open();
    client.write(`${heads[kind]}${smuggled}`);
    client.end();
    const answer = await heard(client);
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('headers must be at most 100');
  });

  it('accept a request with more than 90 headers', async () => {
    const headers = Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`x-${index}`, '1']));
    expect((await app.http.with(headers).get('/livez')).status).toBe(200);
  });

  const sendEmptyLines = (socket: Socket): void => {
    const lines = setInterval(() => socket.write('\r\n'), 300);
    socket.once('close', () => clearInterval(lines));
  };
  /** Each client with the limit of its connection. For the first request, the time for the headers begins at once. */
  const slowClients: [string, number, (socket: Socket) => void][] = [
    ['send nothing', HEADERS_MS, () => undefined],
    ['send nothing after a response', IDLE_MS, (socket) => socket.write(probe)],
    ['do not finish their headers', HEADERS_MS, (socket) => socket.write('GET /livez HTTP/1.1\r\nhost: ')],
    ['send empty lines now and then', HEADERS_MS, sendEmptyLines],
    [
      'send empty lines now and then after a response',
      IDLE_MS,
      (socket) => {
        socket.write(probe);
        sendEmptyLines(socket);
      },
    ],
    [
      'never read',
      ANSWER_MS,
      (socket) => socket.pause().write('GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nhost: api\r\n\r\n'.repeat(20)),
    ],
  ];
  it.each(slowClients)(
    'of clients that %s stay open until the time limit, and close then',
    async (_, limitMs, begin) => {
      const before = await count();
      const beganAt = performance.now();
      const client = await open();
      begin(client.resume());
      await atMost(before);
      const tookMs = performance.now() - beganAt;
      expect(tookMs).toBeGreaterThan(limitMs - EARLY_MS);
      expect(tookMs).toBeLessThan(limitMs + LATE_MS);
      client.destroy();
    },
  );

  it('on which nothing has arrived are closed without a response', async () => {
    expect(await heard(await open())).toBe('');
  });

  it('of event streams and WebSockets stay open beyond the idle limit', async () => {
    const stream = await open();
    stream.write(`GET ${listenPath().replace('ws/oauth2/listen', 'oauth2/events')} HTTP/1.1\r\nhost: api\r\n\r\n`);
    const socket = await open();
    socket.write(upgrade());
    await Promise.all([once(stream, 'data'), once(socket, 'data')]);
    // The server closes this idle connection at the time limit. The stream and the WebSocket are older, so both have
    // passed the limit by then.
    const idle = await open();
    await once(idle.resume(), 'close');
    expect([stream.closed, socket.closed]).toEqual([false, false]);
    stream.destroy();
    socket.destroy();
  });

  it('of one address are limited, and a new connection replaces an idle one', async () => {
    const clients: Socket[] = [];
    for (let index = 0; index < 70; index++) clients.push((await open()).resume());
    expect((await app.http.get('/livez')).status).toBe(200);
    expect(await count()).toBeLessThanOrEqual(60);
    await until('ten are closed', () => clients.filter(({ closed }) => closed).length >= 10);
    expect(clients.at(-1)?.closed).toBe(false);
    for (const client of clients) client.destroy();
    await atMost(1);
  });
});
