import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { DAY_MS } from '#platform/clock';
import { until } from '#platform/testing';
import { Receiver } from '../testing/receiver.js';
import { WEBHOOK_TIMEOUT_MS, WebhookHarness } from '../testing/webhook-harness.js';
import { DeliverToEndpoint } from './deliver-to-endpoint.js';
import { DeliveryStore } from './delivery-store.js';
import { ResendWebhooks } from './resend-webhooks.js';
import { ATTEMPTS_MAX } from './retry-pauses.js';

const LEASE_MS = 75_000;

describe('the delivery of webhooks', () => {
  let harness: WebhookHarness;
  /** For endpoints that never respond. */
  let impatient: WebhookHarness;
  let receiver: Receiver;

  beforeAll(async () => {
    harness = await WebhookHarness.create();
    impatient = await WebhookHarness.create({ WEBHOOK_TIMEOUT_MS: 300 });
  });
  afterAll(() => Promise.all([harness.close(), impatient.close()]));
  beforeEach(async () => {
    await harness.reset();
    receiver = await Receiver.start();
  });
  afterEach(() => receiver.close());

  it('sends an event once, signed as Standard Webhooks demand, and stores request, response and times', async () => {
    const { endpoint, secret } = await harness.endpoint(receiver.url);
    await harness.record('wallet-1', 'wallet.created', { exchange: 'kraken' });
    expect(await harness.work()).toBe(1);
    expect(await harness.work()).toBe(0);

    const [request] = receiver.requests;
    const body = JSON.parse(request?.body ?? '') as Record<string, unknown>;
    expect(body).toEqual({
      id: request?.headers['webhook-id'],
      type: 'wallet.created',
      timestamp: harness.clock.now().toISOString(),
      walletId: 'wallet-1',
      walletSequence: 1,
      data: { walletId: 'wallet-1', exchange: 'kraken' },
    });
    const at = new Date(Number(request?.headers['webhook-timestamp']) * 1_000);
    const signed = new Webhook(secret.reveal()).sign(String(body['id']), at, request?.body ?? '');
    expect(request?.headers).toMatchObject({ 'webhook-signature': signed, 'content-type': 'application/json' });

    const { delivery, attempts } = await harness.log(endpoint.id);
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 1, nextAttemptAt: null });
    expect(attempts).toMatchObject([
      {
        number: 1,
        url: receiver.url,
        startedAt: harness.clock.now(),
        finishedAt: harness.clock.now(),
        requestHeaders: { 'webhook-id': body['id'], 'webhook-signature': signed },
        responseStatus: 200,
        responseBody: 'thanks',
        error: null,
      },
    ]);
  });

  it('retries for three days with growing pauses, always with the same id and body, and then gives up', async () => {
    receiver.answer(500);
    const { endpoint } = await harness.endpoint(receiver.url);
    await harness.record();
    const pauses: number[] = [];
    await harness.work();
    for (let last = harness.clock.at; ;) {
      const { delivery } = await harness.log(endpoint.id);
      if (delivery.nextAttemptAt === null) break;
      harness.clock.at = delivery.nextAttemptAt.getTime() - 1;
      expect(await harness.work()).toBe(0);
      harness.clock.advance(1);
      expect(await harness.work()).toBe(1);
      pauses.push(harness.clock.at - last);
      last = harness.clock.at;
    }
    expect(receiver.requests).toHaveLength(ATTEMPTS_MAX);
    expect(new Set(receiver.requests.map(({ headers, body }) => `${String(headers['webhook-id'])} ${body}`)).size).toBe(
      1,
    );
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
    const totalMs = pauses.reduce((sum, pause) => sum + pause, 0);
    expect(totalMs / DAY_MS).toBeGreaterThan(2.9);
    expect(totalMs / DAY_MS).toBeLessThan(3.3);
    const { delivery, attempts } = await harness.log(endpoint.id);
    expect(delivery.state).toBe('failed');
    expect(attempts.map(({ error }) => error)).toEqual(attempts.map(() => 'status 500'));
  });

  it('delivers after an outage of the endpoint', async () => {
    receiver.answer(503);
    const { endpoint } = await harness.endpoint(receiver.url);
    await harness.record();
    await harness.work();
    receiver.answer(204);
    harness.clock.advance(6_000);
    await harness.work();
    expect((await harness.log(endpoint.id)).delivery).toMatchObject({ state: 'delivered', attempts: 2 });
  });

  it.each<[string, (receiver: Receiver) => void, RegExp]>([
    ['never answers', (one) => (one.behave = () => undefined), /no response within 0.3 seconds/],
    ['breaks the connection', (one) => (one.behave = (response) => response.destroy()), /no response/],
    ['speaks no HTTP', (one) => (one.behave = (response) => response.socket?.end('hello\r\n\r\n')), /no response/],
    [
      'sends an endless head',
      (one) => (one.behave = (response) => response.socket?.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(40_000)}`)),
      /no response/,
    ],
    [
      'sends its head one byte at a time',
      (one) =>
        (one.behave = ({ socket }) => {
          const timer = setInterval(() => socket?.write('H'), 20);
          socket?.on('close', () => clearInterval(timer));
        }),
      /no response/,
    ],
    [
      'sends only interim responses',
      (one) =>
        (one.behave = (response) => {
          const timer = setInterval(() => response.writeProcessing(), 20);
          response.socket?.on('close', () => clearInterval(timer));
        }),
      /no response within 0.3 seconds/,
    ],
    [
      'changes the protocol',
      (one) =>
        (one.behave = ({ socket }) =>
          socket?.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n')),
      /no response/,
    ],
  ])('retries when the endpoint %s', async (_what, misbehave, reason) => {
    misbehave(receiver);
    await impatient.reset();
    const { endpoint } = await impatient.endpoint(receiver.url);
    await impatient.record();
    expect(await impatient.work()).toBe(1);
    const { delivery, attempts } = await impatient.log(endpoint.id);
    expect(delivery.state).toBe('pending');
    expect(attempts[0]?.error).toMatch(reason);
    expect(attempts[0]?.finishedAt).not.toBeNull();
  });

  it('retries when the endpoint answers 304 Not Modified', async () => {
    receiver.answer(304);
    const { endpoint } = await harness.endpoint(receiver.url);
    await harness.record();
    expect(await harness.work()).toBe(1);
    const { delivery, attempts } = await harness.log(endpoint.id);
    expect(delivery.state).toBe('pending');
    expect(attempts[0]?.error).toMatch(/status 304/);
    expect(attempts[0]?.finishedAt).not.toBeNull();
  });

  it.each<[string, (receiver: Receiver) => void]>([
    [
      'an endless body',
      (one) =>
        (one.behave = (response) => {
          const pour = (): void => {
            while (!response.destroyed && response.write('x'.repeat(65_536)));
          };
          response.on('drain', pour);
          pour();
        }),
    ],
    [
      'a body that arrives one byte at a time',
      (one) =>
        (one.behave = (response) => {
          response.writeHead(200);
          const timer = setInterval(() => response.write('x'), 20);
          response.on('close', () => clearInterval(timer));
        }),
    ],
    ['a body that stops', (one) => (one.behave = (response) => response.writeHead(200).write('x'.repeat(10)))],
    [
      'a body that is shorter than its content-length',
      (one) => (one.behave = (response) => response.socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nx')),
    ],
    ['a body with NUL', (one) => (one.behave = (response) => response.end('a\0b'))],
  ])('counts a status of 200 with %s as delivered, and stores at most 4 KiB', async (_what, misbehave) => {
    misbehave(receiver);
    const { endpoint } = await harness.endpoint(receiver.url);
    await harness.record();
    await harness.work();
    const { delivery, attempts } = await harness.log(endpoint.id);
    expect(delivery.state).toBe('delivered');
    expect(attempts[0]?.responseBody?.length).toBeLessThanOrEqual(4_096);
  });

  it.each([301, 302, 303, 307, 308])('follows no redirect of the status %i', async (status) => {
    const target = await Receiver.start();
    let connections = 0;
    target.onConnection(() => (connections += 1));
    receiver.answer(status, { location: target.url, refresh: `0; url=${target.url}` });
    const { endpoint } = await harness.endpoint(receiver.url);
    await harness.record();
    await harness.work();
    expect(connections).toBe(0);
    const { delivery, attempts } = await harness.log(endpoint.id);
    expect(delivery.state).toBe('pending');
    expect(attempts[0]).toMatchObject({
      responseStatus: status,
      error: `status ${status}: redirects are not followed`,
    });
    await target.close();
  });

  it('retries when the endpoint accepts a connection and never finishes the TLS handshake', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    await impatient.reset();
    const { endpoint } = await impatient.endpoint(`https://127.0.0.1:${port}/`);
    await impatient.record();
    expect(await impatient.work()).toBe(1);
    const { delivery, attempts } = await impatient.log(endpoint.id);
    expect([delivery.state, attempts[0]?.error]).toEqual(['pending', 'no response within 0.3 seconds']);
    silent.close();
  });

  it('keeps a delivery pending when its endpoint cannot be reached', async () => {
    const { endpoint } = await harness.endpoint(receiver.url);
    await receiver.close();
    await harness.record();
    await harness.work();
    expect((await harness.log(endpoint.id)).delivery.state).toBe('pending');
    receiver = await Receiver.start();
  });

  it('repeats an attempt whose worker died before it sent anything', async () => {
    const { endpoint } = await harness.endpoint(receiver.url);
    await harness.record();
    await harness.dispatch();
    const store = harness.get(DeliveryStore);
    const lease = await store.lease(endpoint.id);
    if (lease === null) throw new Error('the endpoint is leased');
    expect((await store.take(lease, 5))?.deliveries).toHaveLength(1);
    // The worker has died: it sends nothing, and does not release the lease of the endpoint.
    expect(await harness.work()).toBe(0);
    harness.clock.advance(LEASE_MS);
    expect(await harness.work()).toBe(1);
    expect(receiver.requests).toHaveLength(1);
    const { delivery, attempts } = await harness.log(endpoint.id);
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 2 });
    expect(attempts[0]).toMatchObject({ number: 1, finishedAt: null, responseStatus: null, error: null });
  });

  it('repeats an attempt with the same id when its result was lost', async () => {
    const { endpoint } = await harness.endpoint(receiver.url);
    await harness.record();
    await harness.dispatch();
    // Before the endpoint responds, the rows change as if another worker had taken the delivery. So the result of this
    // attempt is not stored, as if the worker had died after the response.
    receiver.behave = (response) =>
      void harness.db
        .query(`update webhook_endpoints set leased_by = null, leased_until = null where id = $1`, [endpoint.id])
        .then(() =>
          harness.db.query(`update webhook_deliveries set attempts = attempts + 1 where endpoint_id = $1`, [
            endpoint.id,
          ]),
        )
        .then(() => response.end());
    await harness.get(DeliverToEndpoint).execute(endpoint.id);
    expect((await harness.log(endpoint.id)).delivery.state).toBe('pending');
    receiver.answer(200);
    harness.clock.advance(LEASE_MS);
    await harness.work();
    expect(receiver.requests).toHaveLength(2);
    expect(new Set(receiver.ids).size).toBe(1);
    expect((await harness.log(endpoint.id)).delivery.state).toBe('delivered');
  });

  it('delivers again what was sent again during an attempt, whatever the result of this attempt', async () => {
    const { endpoint } = await harness.endpoint(receiver.url);
    await harness.record();
    await harness.dispatch();
    const { delivery } = await harness.log(endpoint.id);
    receiver.behave = (response) =>
      void harness
        .get(ResendWebhooks)
        .one(delivery.id, 'tests')
        .then(() => response.end());
    await harness.get(DeliverToEndpoint).execute(endpoint.id);
    expect((await harness.log(endpoint.id)).delivery).toMatchObject({ state: 'pending', resends: 1 });
    receiver.answer(200);
    expect(await harness.work()).toBe(1);
    expect((await harness.log(endpoint.id)).delivery).toMatchObject({ state: 'delivered', attempts: 2 });
  });

  it('sends each event once although several workers dispatch and deliver at the same time', async () => {
    const { endpoint } = await harness.endpoint(receiver.url);
    for (let number = 0; number < 12; number++) await harness.record();
    await Promise.all([harness.work(), harness.work(), harness.work()]);
    await harness.work();
    expect(receiver.requests).toHaveLength(12);
    expect(new Set(receiver.ids).size).toBe(12);
    expect((await harness.deliveries(endpoint.id)).map(({ state }) => state)).toEqual(Array(12).fill('delivered'));
  });

  it('has WEBHOOK_ENDPOINT_CONCURRENCY requests to one endpoint under way, and never more', async () => {
    let underWay = 0;
    let most = 0;
    let reachFive = (): void => undefined;
    const five = new Promise<void>((resolve) => (reachFive = resolve));
    receiver.behave = (response) => {
      most = Math.max(most, ++underWay);
      if (underWay === 5) reachFive();
      void five.then(() =>
        setImmediate(() => {
          underWay -= 1;
          response.end();
        }),
      );
    };
    await harness.endpoint(receiver.url);
    for (let number = 0; number < 20; number++) await harness.record();
    await Promise.all([harness.work(), harness.work()]);
    await harness.work();
    expect(receiver.requests).toHaveLength(20);
    expect(most).toBe(5);
  });

  it('waits a second for the body of a response, not WEBHOOK_TIMEOUT_MS', async () => {
    const { endpoint } = await harness.endpoint(receiver.url);
    let waitedMs = NaN;
    receiver.behave = (response) => {
      const began = performance.now();
      response.on('close', () => (waitedMs = performance.now() - began));
      response.writeHead(200).write('x');
    };
    await harness.record();
    await harness.work();
    await until('the connection is closed', () => !Number.isNaN(waitedMs));
    expect(waitedMs).toBeGreaterThan(900);
    expect(waitedMs).toBeLessThan(WEBHOOK_TIMEOUT_MS / 2);
    const { delivery, attempts } = await harness.log(endpoint.id);
    expect([delivery.state, attempts[0]?.responseBody]).toEqual(['delivered', 'x']);
  });

  it('leaves out the data of an event that is too large', async () => {
    await harness.endpoint(receiver.url);
    await harness.record('wallet-1', 'transaction.created', { note: 'x'.repeat(300_000) });
    await harness.work();
    expect(JSON.parse(receiver.requests[0]?.body ?? '')).toMatchObject({
      walletId: 'wallet-1',
      data: { omitted: true },
    });
  });

  it('delivers only events of its project, and only events of the types that the endpoint wants', async () => {
    await harness.endpoint(receiver.url, ['wallet.deleted']);
    await harness.record('a', 'wallet.created');
    await harness.record('a', 'wallet.deleted');
    await harness.newProject();
    await harness.record('a', 'wallet.deleted');
    await harness.work();
    expect(receiver.requests.map(({ body }) => (JSON.parse(body) as { type: string }).type)).toEqual([
      'wallet.deleted',
    ]);
  });
});
