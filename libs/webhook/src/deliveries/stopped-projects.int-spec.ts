import { DeleteProject, SuspendProject } from '#access';
import { Receiver } from '../testing/index.js';
import { WebhookHarness } from '../testing/webhook-harness.js';
import { DeliveryStore } from './delivery-store.js';

describe('the webhooks of a project', () => {
  let harness: WebhookHarness;
  let receiver: Receiver;
  let endpointId: string;

  beforeAll(async () => {
    harness = await WebhookHarness.create();
    receiver = await Receiver.start();
  });
  afterAll(async () => {
    await receiver.close();
    await harness.close();
  });
  beforeEach(async () => {
    await harness.reset();
    ({
      endpoint: { id: endpointId },
    } = await harness.endpoint(receiver.url));
    await harness.record();
    await harness.dispatch();
  });

  const store = () => harness.get(DeliveryStore);
  const suspend = () => harness.get(SuspendProject).suspend(harness.projectId, 'tests');
  const remove = () => harness.get(DeleteProject).execute(harness.projectId, 'tests');

  /** Takes each step of a delivery as a worker does, and returns whether the step gets anything. */
  const steps = async (lease: Awaited<ReturnType<DeliveryStore['lease']>>) => ({
    listed: (await store().listDueEndpoints(1_000, { areFailing: false })).includes(endpointId),
    taken: lease !== null && (await store().take(lease, 1)) !== null,
    leased: (await store().lease(endpointId)) !== null,
  });

  it.each([
    ['suspended', suspend],
    ['deleted', remove],
  ])(
    'are neither listed nor leased nor taken after it was %s, not even with a lease from before',
    async (_how, stop) => {
      const lease = await store().lease(endpointId);
      if (lease === null) throw new Error('the endpoint is not due');
      await stop();
      expect(await steps(lease)).toEqual({ listed: false, taken: false, leased: false });
      await store().release(lease);
      expect(await steps(null)).toEqual({ listed: false, taken: false, leased: false });
      expect(await harness.work()).toBe(0);
    },
  );

  it('are delivered again after it was suspended and resumed', async () => {
    await suspend();
    expect(await harness.work()).toBe(0);
    await harness.get(SuspendProject).resume(harness.projectId, 'tests');
    expect(await harness.work()).toBe(1);
  });
});
