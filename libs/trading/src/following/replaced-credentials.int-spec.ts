import { OrderHarness } from '../testing/index.js';

describe('an open order of a wallet whose credentials were replaced', () => {
  let harness: OrderHarness;
  beforeAll(async () => (harness = await OrderHarness.create()));
  afterAll(() => harness.close());
  const minuteLater = () => harness.clock.advance(60_000);

  it('has the status unknown while the credentials of the wallet cannot read it, and its true status once they can', async () => {
    const order = await harness.place();
    const made = harness.market.only(order);
    harness.market.change(made, 'open', '0.2');
    minuteLater();
    expect(await harness.read(order)).toMatchObject({ status: 'open', rawStatus: 'open' });

    // The new credentials belong to another account, which does not have the order.
    harness.market.orders.pop();
    await harness.replaceCredentials();
    const hidden = { state: 'open', status: 'unknown', rawStatus: 'not_visible' };
    for (let reads = 1; reads <= 2; reads++) {
      minuteLater();
      expect(await harness.read(order)).toMatchObject(hidden);
    }
    const stored = await harness.row(order);
    expect(stored).toMatchObject(hidden);
    expect(stored.executedVolume.toString()).toBe('0.2');
    const told = (await harness.events(order)).map(({ data }) => [data['status'], data['rawStatus']]);
    expect(told.slice(-2)).toEqual([
      ['open', 'open'],
      ['unknown', 'not_visible'],
    ]);

    harness.market.orders.push(made);
    harness.market.change(made, 'closed', '0.5');
    await harness.replaceCredentials();
    await harness.work(3, 60_000);
    expect(await harness.row(order)).toMatchObject({ state: 'closed', status: 'filled', rawStatus: 'closed' });
  });

  it('has its true status at once when the new credentials belong to the same account', async () => {
    const order = await harness.place();
    harness.market.change(harness.market.only(order), 'closed', '0.5');
    await harness.replaceCredentials();
    expect(await harness.read(order)).toMatchObject({ state: 'closed', status: 'filled' });
  });
});
