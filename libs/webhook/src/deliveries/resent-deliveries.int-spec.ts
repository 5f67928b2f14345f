import { Receiver } from '../testing/receiver.js';
import { WebhookHarness } from '../testing/webhook-harness.js';
import { ResendWebhooks } from './resend-webhooks.js';
import { ATTEMPTS_MAX, pauseAfter } from './retry-pauses.js';

describe('a delivery that was sent again', () => {
  let harness: WebhookHarness;
  let receiver: Receiver;

  beforeAll(async () => {
    harness = await WebhookHarness.create();
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    await harness.reset();
    receiver = await Receiver.start();
    receiver.answer(500);
  });
  afterEach(() => receiver.close());

  /** Makes the next attempt, which fails. @returns the milliseconds until the one after it; null = there is none */
  async function fail(endpointId: string): Promise<number | null> {
    const { delivery } = await harness.log(endpointId);
    harness.clock.advance(Math.max(0, (delivery.nextAttemptAt?.getTime() ?? NaN) - harness.clock.at));
    expect(await harness.work()).toBe(1);
    const { nextAttemptAt } = (await harness.log(endpointId)).delivery;
    return nextAttemptAt === null ? null : nextAttemptAt.getTime() - harness.clock.at;
  }

  it('is retried as often as a new one, with the same pauses', async () => {
    const { endpoint } = await harness.endpoint(receiver.url);
    await harness.record();
    await harness.dispatch();
    for (let attempts = 0; attempts < 3; attempts++) await fail(endpoint.id);
    const { delivery } = await harness.log(endpoint.id);
    await harness.get(ResendWebhooks).one(delivery.id, 'tests');
    for (let attempt = 1; attempt < ATTEMPTS_MAX; attempt++) {
      const pauseMs = await fail(endpoint.id);
      expect(pauseMs).toBeGreaterThanOrEqual(pauseAfter(attempt, 0) ?? Infinity);
      expect(pauseMs).toBeLessThanOrEqual(pauseAfter(attempt, 1) ?? 0);
    }
    expect(await fail(endpoint.id)).toBeNull();
    const last = (await harness.log(endpoint.id)).delivery;
    expect(last).toMatchObject({ state: 'failed', attempts: 3 + ATTEMPTS_MAX, attemptsBefore: 3, resends: 1 });
  });
});
