import { Receiver } from '#webhook/testing';
import { until } from '#platform/testing';
import { BuiltProcess } from '../support/built-process.js';
import { TestApp } from '../support/test-app.js';

const TIMEOUT_MS = 300_000;

/** A worker process is killed after the endpoint has the request and before it answers. Another worker continues. */
describe('a webhook whose worker is killed', () => {
  let app: TestApp;
  let receiver: Receiver;
  const built: BuiltProcess[] = [];

  const startWorker = async (): Promise<BuiltProcess> => {
    const worker = BuiltProcess.start('worker', app.env);
    built.push(worker);
    await worker.address();
    return worker;
  };

  beforeAll(async () => {
    receiver = await Receiver.start();
    app = await TestApp.create({
      env: { WORKER_PORT: '0', WORKER_METRICS_PORT: '0', WEBHOOK_ALLOW_PRIVATE: 'true', EXCHANGE_TIMEOUT_MS: '10000' },
      // The lease is longer than an attempt, but the test can wait until it ends.
      overrides: { WEBHOOK_LEASE_MS: 4_000, WEBHOOK_TIMEOUT_MS: 3_000 },
    });
  });
  afterAll(async () => {
    await Promise.all(built.map((process) => process.stop(0)));
    await app.close();
    await receiver.close();
  });

  it(
    'is sent again by another worker with the same id and body, and the log shows both attempts',
    async () => {
      const project = await app.project();
      const { causeway, projectId } = project;
      const wanted = { url: receiver.url, eventTypes: ['wallet.created' as const] };
      const { id } = await causeway.createWebhookEndpoint({ id: projectId, ...wanted });
      receiver.behave = () => undefined;
      const first = await startWorker();
      await app.wallet(project);
      await receiver.until((requests) => requests.length === 1);
      await first.stop(0);
      receiver.answer(200);
      await startWorker();
      await receiver.until((requests) => requests.length === 2);

      const [one, two] = receiver.requests;
      expect([two?.headers['webhook-id'], two?.body]).toEqual([one?.headers['webhook-id'], one?.body]);
      const read = async () => (await causeway.listWebhookDeliveries({ id })).deliveries;
      await until('the delivery has ended', async () => (await read())[0]?.state !== 'pending');
      const [delivery, ...others] = await read();
      expect([delivery, others]).toMatchObject([{ state: 'delivered', attempts: 2 }, []]);
      const { log } = await causeway.getWebhookDelivery({ id: delivery?.id ?? '' });
      expect(log).toMatchObject([
        { number: 1, durationMs: null, responseStatus: null },
        { number: 2, responseStatus: 200 },
      ]);
      expect(receiver.requests).toHaveLength(2);
    },
    TIMEOUT_MS,
  );
});
