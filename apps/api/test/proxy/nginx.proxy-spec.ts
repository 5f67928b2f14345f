import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { until } from '#platform/testing';
import { NginxServer } from './nginx-server.js';

const ORDER = '/v0/wallet/trade/order';
const QUOTE = '/v0/wallet/withdraw/quote';
const EXECUTE = '/v0/wallet/withdraw/0193f2a1-7c44-7e1b-9b1a-5d2f6c0a9e77/execute';

describe('the nginx configuration of the project', () => {
  let servers: [Server, Server];
  let nginx: NginxServer;
  let received: string[];
  let answer: RequestListener;

  beforeAll(async () => {
    const start = async (): Promise<Server> => {
      const server = createServer((request, response) => {
        received.push(`${request.method} ${request.url}`);
        answer(request, response);
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    };
    servers = [await start(), await start()];
    const [first, second] = servers.map((server) => (server.address() as AddressInfo).port);
    nginx = await NginxServer.start([first ?? 0, second ?? 0]);
  });
  beforeEach(() => {
    received = [];
  });
  afterAll(async () => {
    await nginx.stop();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  const send = (method: string, path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${nginx.url}${path}`, { method, body: method === 'GET' ? undefined : '{}', ...init });

  const cut: RequestListener = ({ socket }) => void socket.destroy();
  const refuse: RequestListener = (_request, response) => void response.writeHead(503, { 'retry-after': '1' }).end();
  /** Returns a listener that calls `first` for the first request of a test, and responds with 200 to all others. */
  const onceThenServe = (first: RequestListener): RequestListener => {
    return (request, response) => {
      if (received.length === 1) first(request, response);
      else response.end('served');
    };
  };

  it.each([
    ['GET', '/v0/wallet/list', 200, 2],
    ['PUT', EXECUTE, 200, 2],
    ['POST', QUOTE, 200, 2],
    ['POST', ORDER, 502, 1],
  ])(
    'when a connection to an API is lost, answers %s %s with status %i, and forwards the request %i times',
    async (method, path, status, times) => {
      answer = onceThenServe(cut);
      expect((await send(method, path)).status).toBe(status);
      expect(received).toEqual(Array.from({ length: times }, () => `${method} ${path}`));
    },
  );

  it.each([
    ['GET', '/v0/wallet/list', 200, 2],
    ['PUT', EXECUTE, 200, 2],
    ['POST', QUOTE, 200, 2],
    ['POST', ORDER, 503, 1],
  ])(
    'when an API responds with 503, answers %s %s with status %i, and forwards the request %i times',
    async (method, path, status, times) => {
      answer = onceThenServe(refuse);
      expect((await send(method, path)).status).toBe(status);
      expect(received).toHaveLength(times);
    },
  );

  it('returns the 503 of overloaded APIs, and forwards requests as soon as the APIs respond normally again', async () => {
    answer = refuse;
    const refused = await Promise.all(Array.from({ length: 40 }, () => send('GET', '/v0/wallet/list')));
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
    answer = (_request, response) => void response.end('served');
    expect((await send('GET', '/v0/wallet/list')).status).toBe(200);
  });

  it('appends the address of the caller to X-Forwarded-For', async () => {
    let seen: IncomingMessage['headers'] = {};
    answer = ({ headers }, response) => {
      seen = headers;
      response.end();
    };
    await send('GET', '/v0/wallet/list', { headers: { 'x-forwarded-for': '203.0.113.1', 'x-request-id': 'mine' } });
    expect(seen['x-forwarded-for']).toBe('203.0.113.1, 127.0.0.1');
    expect(seen['x-request-id']).toBe('mine');
  });

  it.each(['/livez', '/readyz', '/v0/admin/organizations'])('does not forward %s', async (path) => {
    expect((await send('GET', path)).status).toBe(404);
    expect(received).toEqual([]);
  });

  it('forwards each part of an event stream at once', async () => {
    let end = (): void => undefined;
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', connection: 'close' }).write('data: 1\n\n');
      end = () => void response.end();
    };
    const { body } = await send('GET', '/v0/oauth2/events?idem=1');
    const first = await body?.getReader().read();
    expect(new TextDecoder().decode(first?.value as Uint8Array)).toBe('data: 1\n\n');
    end();
  });

  it('forwards the upgrade to a WebSocket', async () => {
    for (const each of servers) {
      each.once('upgrade', (_request: IncomingMessage, socket) => {
        socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\nframe');
      });
    }
    const client = connect(nginx.port, '127.0.0.1');
    const lines = ['GET /v0/ws/oauth2/listen HTTP/1.1', 'host: api', 'upgrade: websocket', 'connection: upgrade'];
    client.write([...lines, '', ''].join('\r\n'));
    let text = '';
    for await (const part of client) text += String(part);
    expect(text).toMatch(/^HTTP\/1.1 101 [\s\S]+frame$/);
  });

  it('logs neither links of the connect page nor queries', async () => {
    answer = (_request, response) => void response.end();
    await send('GET', '/connect/a-secret-link?state=secret');
    await send('GET', '/v0/oauth2/kraken/callback?code=secret');
    // nginx writes the log line after the client has the response.
    await until('the log line', () => nginx.accessLog.includes(' GET /v0/oauth2/kraken/callback 200 '));
    expect(nginx.accessLog).toContain(' GET /connect/- 200 ');
    expect(nginx.accessLog).not.toContain('secret');
  });

  it('logs neither links of the connect page nor queries when an API drops a connection', async () => {
    for (const path of ['/connect/a-secret-link', '/v0/oauth2/kraken/callback?code=secret']) {
      received = [];
      answer = onceThenServe(cut);
      expect((await send('GET', path)).status).toBe(200);
      expect(received).toHaveLength(2);
    }
    // nginx writes the log line after the client has the response.
    await until('the log line', () => / GET \/v0\/oauth2\/kraken\/callback 200 \S+ \S+, /.test(nginx.accessLog));
    expect(nginx.accessLog).not.toContain('secret');
    expect(nginx.errorLogs).not.toContain('secret');
  });

  it('refuses a body that is larger than any route accepts', async () => {
    expect((await send('POST', QUOTE, { body: 'x'.repeat(70_000) })).status).toBe(413);
    expect(received).toEqual([]);
  });
});
