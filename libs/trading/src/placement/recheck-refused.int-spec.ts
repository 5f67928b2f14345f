import { OrderHarness } from '../testing/index.js';

const MINUTE = 60_000;

describe('an order with the terms of one that the exchange has refused', () => {
  let harness: OrderHarness;
  beforeAll(async () => (harness = await OrderHarness.create()));
  afterAll(() => harness.close());
  beforeEach(async () => {
    await harness.newWallet();
    Object.assign(harness.market, { lagMs: 0, isDown: false, script: [] });
    harness.market.orders.length = 0;
  });

  /** Places an order that the exchange keeps and refuses, and shows only later than the refusal is confirmed. */
  async function falselyRefused(): Promise<void> {
    harness.market.lagMs = MINUTE;
    harness.market.script = ['accept_and_refuse'];
    await expect(harness.place()).rejects.toMatchObject({ code: 'TRADING_ROUTE_UNAVAILABLE' });
    expect(harness.market.orders).toHaveLength(1);
  }

  it('is not placed when the exchange has the refused order after all, until its caller has learned of it', async () => {
    await falselyRefused();
    harness.clock.advance(2 * MINUTE);
    const [refused] = await harness.orders();
    const { sent } = harness.market;
    await expect(harness.place()).rejects.toMatchObject({
      code: 'GENERIC_INVALID_REQUEST',
      status: 409,
      details: { result: { orderId: refused?.id } },
    });
    expect(harness.market.sent).toBe(sent);
    expect(await harness.orders()).toMatchObject([{ id: refused?.id, state: 'open', errorCode: null }]);
    expect((await harness.orders())[0]?.contradictedAt).not.toBeNull();
    // The caller knows now that the first order exists, and asks for another one.
    expect(await harness.place()).toMatchObject({ state: 'open' });
    expect(harness.market.orders).toHaveLength(2);
  });

  it('is placed when the exchange does not have the refused order', async () => {
    harness.market.script = ['refuse'];
    await expect(harness.place()).rejects.toMatchObject({ code: 'GENERIC_INVALID_REQUEST' });
    expect(await harness.place()).toMatchObject({ state: 'open' });
  });

  it('is not compared when it has other terms, or the refused order was sent with other credentials', async () => {
    await falselyRefused();
    harness.clock.advance(2 * MINUTE);
    for (const other of [{ volume: '0.6' }, { side: 'buy' }, { price: '20001' }] as const)
      expect(await harness.place(other)).toMatchObject({ state: 'open' });
    await harness.replaceCredentials();
    expect(await harness.place()).toMatchObject({ state: 'open' });
  });

  it('is not placed while the exchange cannot be searched', async () => {
    await falselyRefused();
    harness.clock.advance(2 * MINUTE);
    harness.market.isDown = true;
    const { sent } = harness.market;
    await expect(harness.place()).rejects.toMatchObject({ code: 'TRADING_PROVIDER_ERROR' });
    expect(harness.market.sent).toBe(sent);
  });
});
