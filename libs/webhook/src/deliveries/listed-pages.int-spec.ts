import { WebhookEndpoints } from '../endpoints/webhook-endpoints.service.js';
import { Receiver } from '../testing/receiver.js';
import { WebhookHarness } from '../testing/webhook-harness.js';
import { WebhookDeliveries } from './webhook-deliveries.service.js';

describe('a list of webhooks', () => {
  let harness: WebhookHarness;
  let receiver: Receiver;

  beforeAll(async () => {
    harness = await WebhookHarness.create();
    receiver = await Receiver.start();
  });
  afterAll(async () => {
    await receiver.close();
    await harness.close();
  });
  beforeEach(() => harness.reset());

  it('has each endpoint of a project once on its pages, the newest first', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) ids.unshift((await harness.endpoint(receiver.url)).endpoint.id);
    const on = async (page: number): Promise<string[]> => {
      const { endpoints, totalCount } = await harness.get(WebhookEndpoints).list(harness.projectId, { page, limit: 2 });
      expect(totalCount).toBe(3);
      return endpoints.map(({ id }) => id);
    };
    expect([await on(0), await on(1), await on(2)]).toEqual([ids.slice(0, 2), ids.slice(2), []]);
  });

  it('has each delivery to an endpoint once on its pages, the newest first, and those of one state alone', async () => {
    const { endpoint } = await harness.endpoint(receiver.url);
    for (let count = 0; count < 3; count++) await harness.record(`wallet-${count}`);
    await harness.dispatch();
    const ids = (await harness.deliveries(endpoint.id)).map(({ id }) => id).reverse();
    const on = async (page: number, state: 'pending' | 'failed' | null = null): Promise<string[]> => {
      const { deliveries } = await harness.get(WebhookDeliveries).list(endpoint.id, state, { page, limit: 2 });
      return deliveries.map(({ id }) => id);
    };
    expect([await on(0), await on(1), await on(2)]).toEqual([ids.slice(0, 2), ids.slice(2), []]);
    expect([await on(1, 'pending'), await on(0, 'failed')]).toEqual([ids.slice(2), []]);
  });
});
