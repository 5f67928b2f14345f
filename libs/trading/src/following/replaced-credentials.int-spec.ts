import { eraseCredentials } from '#wallet/testing';
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

describe('an order with an unknown outcome whose credentials were replaced', () => {
  it('is not proven absent by searches with the new credentials, which may belong to another account', async () => {
    const harness = await OrderHarness.create();
    harness.market.script = ['answer_lost'];
    const order = await harness.place();
    // The new account does not have the order.
    harness.market.orders.pop();
    await harness.replaceCredentials();
    for (let reads = 1; reads <= 3; reads++) {
      harness.clock.advance(600_000);
      expect(await harness.read(order)).toMatchObject({ status: 'unknown' });
    }
    expect(await harness.row(order)).toMatchObject({ state: 'unknown', cleanSearches: 0 });
    await harness.close();
  });
});

describe('an open order of a wallet that was connected again at another exchange', () => {
  it('is not found for callers, and the worker stops reading it', async () => {
    const harness = await OrderHarness.create({ TRADING_EXCHANGES: 'kraken,coinbase' });
    const order = await harness.place();
    await harness.reconnect('coinbase');
    await expect(harness.read(order)).rejects.toMatchObject({ code: 'TRADING_ORDER_NOT_FOUND' });
    const { reads } = harness.market;
    await harness.work(3, 60_000);
    expect(harness.market.reads).toBe(reads);
    expect(await harness.row(order)).toMatchObject({ state: 'open', status: 'open', nextCheckAt: null });
    await harness.close();
  });
});

describe('an order whose sending process died and whose credentials were erased', () => {
  it('becomes unknown at a read of its owner, without a next check, and blocks no equal order', async () => {
    const harness = await OrderHarness.create();
    const order = await harness.placeAndDie('die_before');
    await eraseCredentials(harness.ownerUrl, harness.wallet);
    harness.clock.advance(20_000);
    await harness.work();
    expect(await harness.row(order)).toMatchObject({ state: 'placing', nextCheckAt: null });
    await harness.reconnect();
    expect(await harness.read(order)).toMatchObject({ state: 'unknown', status: 'unknown' });
    expect((await harness.row(order)).nextCheckAt).toBeNull();
    expect((await harness.place()).state).toBe('open');
    await harness.close();
  });
});
