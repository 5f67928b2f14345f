import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { repeatedOnce } from './send-read.js';
import { TOO_LARGE, Transport, UNDECODABLE, type HttpResponse, type NoResponse } from './transport.js';

const BODY = JSON.stringify({ error: [], result: 'ok' });
const MAX_BYTES = 100_000;

describe('a response', () => {
  let server: Server;
  let transport: Transport;
  let url: string;
  let serve: (response: ServerResponse, request: IncomingMessage, count: number) => void;
  let requests: IncomingMessage[];

  beforeEach(async () => {
    requests = [];
    server = createServer((request, response) => {
      requests.push(request);
      request.resume().on('end', () => serve(response, request, requests.length));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/read`;
    transport = new Transport({ connectTimeoutMs: 5_000, responseMaxBytes: MAX_BYTES, connections: 1 });
  });
  afterEach(async () => {
    await transport.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const request = () => ({ method: 'GET', url, headers: {} });
  const send = (newConnection = false): Promise<HttpResponse> =>
    transport.send(request(), { timeoutMs: 5_000, newConnection });
  const sendOnce = (): Promise<HttpResponse> =>
    transport.sendOnce(url, () => Promise.resolve(request()), { timeoutMs: 5_000, beforeWrite: () => undefined });
  const senders = [['a shared connection', () => send()] as const, ['a dedicated connection', sendOnce] as const];
  const encoded = (encoding: string, body: Buffer) => (response: ServerResponse) =>
    void response.writeHead(200, { 'content-encoding': encoding }).end(body);
  const failureOf = (sent: Promise<unknown>): Promise<NoResponse> =>
    sent.then(
      () => Promise.reject(new Error('it was answered')),
      (error: unknown) => error as NoResponse,
    );

  describe.each(senders)('on %s', (_name, sending) => {
    it.each([
      ['gzip', gzipSync(BODY)],
      ['x-gzip', gzipSync(BODY)],
      ['GZIP', gzipSync(BODY)],
      ['deflate', deflateSync(BODY)],
      ['deflate', deflateRawSync(BODY)],
      ['br', brotliCompressSync(BODY)],
      ['gzip, br', brotliCompressSync(gzipSync(BODY))],
      ['identity', Buffer.from(BODY)],
      ['', Buffer.from(BODY)],
    ])('is decoded when it is encoded as "%s" although we accept no encoding', async (encoding, body) => {
      serve = encoded(encoding, body);
      expect(await sending()).toMatchObject({ status: 200, body: BODY });
      expect(requests[0]?.headers['accept-encoding']).toBe('identity');
    });

    it.each([
      ['gzip', gzipSync(Buffer.alloc(50_000_000))],
      ['deflate', deflateSync(Buffer.alloc(50_000_000))],
      ['br', brotliCompressSync(Buffer.alloc(50_000_000))],
      ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(50_000_000)))],
    ])('is dropped at the limit of its decoded size when it is a bomb in %s', async (encoding, body) => {
      serve = encoded(encoding, body);
      const before = process.memoryUsage().arrayBuffers;
      expect(await failureOf(sending())).toMatchObject({ reason: TOO_LARGE, written: true });
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
    });

    it.each([
      ['gzip', Buffer.from(BODY)],
      ['gzip', gzipSync(BODY).subarray(0, 20)],
      ['br', Buffer.from(BODY)],
      ['zstd', Buffer.from(BODY)],
      ['gzip, gzip, gzip', gzipSync(gzipSync(gzipSync(BODY)))],
    ])('cannot be used when it is not decodable as "%s"', async (encoding, body) => {
      serve = encoded(encoding, body);
      expect(await failureOf(sending())).toMatchObject({ reason: UNDECODABLE, written: true });
    });

    // RFC 9110, 10.2.3, and 418 as Binance documents it.
    it.each([
      [418, '120', 120_000],
      [429, '3', 3_000],
      [503, '60', 60_000],
      [503, 'Sat, 31 Jan 2026 10:00:30 GMT', 30_000],
      [200, '60', undefined],
      [500, '60', undefined],
      [429, 'soon', undefined],
    ])(
      'with the status %d and the header Retry-After: %s asks for a pause of %s ms',
      async (status, after, pauseMs) => {
        const headers = { 'retry-after': after, date: 'Sat, 31 Jan 2026 10:00:00 GMT' };
        serve = (response) => void response.writeHead(status, headers).end();
        expect((await sending()).retryAfterMs).toBe(pauseMs);
      },
    );

    it('is empty when an encoding is stated for an empty body', async () => {
      serve = (response) => void response.writeHead(204, { 'content-encoding': 'gzip' }).end();
      expect(await sending()).toMatchObject({ status: 204, body: '' });
    });
  });

  it('is not requested after its time was over while the request waited for a connection', async () => {
    let first: Promise<HttpResponse> | undefined;
    const held = await new Promise<ServerResponse>((resolve) => {
      serve = resolve;
      first = send();
    });
    const late = transport.send({ ...request(), url: `${url}/late` }, { timeoutMs: 20 });
    expect(await failureOf(late)).toMatchObject({ reason: 'timeout', written: false });
    serve = (response) => void response.end(BODY);
    held.end(BODY);
    expect((await first)?.status).toBe(200);
    expect((await send()).status).toBe(200);
    expect(requests.map(({ url: target }) => target)).toEqual(['/read', '/read']);
  });

  describe('on a reused connection', () => {
    const answer = (response: ServerResponse): void => void response.end(BODY);
    const cut = (response: ServerResponse): void => void response.socket?.resetAndDestroy();
    const close = (response: ServerResponse): void => void response.socket?.destroy();
    const repeated = (): Promise<HttpResponse> => repeatedOnce(send);

    it.each([
      ['reset', cut],
      ['closed', close],
    ])('comes from a new connection when the reused one was %s before it began', async (_name, end) => {
      const sockets = new Set<unknown>();
      serve = (response, { socket }) => {
        const isReused = sockets.has(socket);
        sockets.add(socket);
        (isReused ? end : answer)(response);
      };
      for (let count = 0; count < 6; count++) expect(await repeated()).toMatchObject({ body: BODY });
      // Every second read ends a reused connection.
      expect(requests.length).toBeGreaterThan(6);
    });

    it('is requested at most twice', async () => {
      serve = (response, _request, count) => (count === 1 ? answer : cut)(response);
      await repeated();
      expect(await failureOf(repeated())).toMatchObject({ endedReused: false, written: true });
      expect(requests).toHaveLength(3);
    });

    it('is not requested again when it had begun', async () => {
      serve = (response, _request, count) => {
        if (count === 1) return answer(response);
        response.writeHead(200, { 'content-length': '1000' }).write('{', () => cut(response));
      };
      await repeated();
      expect(await failureOf(repeated())).toMatchObject({ endedReused: false });
      expect(requests).toHaveLength(2);
    });

    it('is not requested again when the first request of a connection fails', async () => {
      serve = cut;
      expect(await failureOf(repeated())).toMatchObject({ endedReused: false });
      expect(requests).toHaveLength(1);
    });
  });
});
