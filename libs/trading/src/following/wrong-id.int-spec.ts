import { OrderHarness, type Order } from '../testing/index.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('an order that its exchange has accepted with a wrong id', () => {
  let harness: OrderHarness;
  beforeAll(async () => (harness = await OrderHarness.create()));
  afterAll(() => harness.close());
  beforeEach(async () => {
    await harness.db.query(`update orders set next_check_at = null where next_check_at is not null`);
    await harness.newWallet();
    harness.market.wrongId = null;
    harness.market.orders.length = 0;
    harness.market.forgetsAfterMs = Infinity;
  });

  /** Places two orders. The response to the second one has an id that does not exist, or the id of the first. */
  async function placed(wrong: 'unknown' | 'of another order'): Promise<{ first: Order; order: Order }> {
    const first = await harness.place({ price: '30000' });
    harness.market.wrongId = wrong === 'unknown' ? 'X-unknown' : harness.market.only(first).exchangeId;
    const order = await harness.place();
    return { first, order };
  }

  it.each(['unknown', 'of another order'] as const)(
    'is followed by its client order id, when the id is %s',
    async (wrong) => {
      harness.market.missing = 'not_executed';
      const { first, order } = await placed(wrong);
      harness.market.change(harness.market.only(first), 'canceled');
      harness.market.change(harness.market.only(order), 'open', '0.2');
      await harness.work(3, HOUR);
      const { state, executedVolume } = await harness.row(order);
      expect([state, executedVolume.toString()]).toEqual(['open', '0.2']);
      harness.market.change(harness.market.only(order), 'closed', '0.5');
      await harness.work(3, HOUR);
      expect(await harness.row(order)).toMatchObject({ state: 'closed', status: 'filled' });
    },
  );

  it('stays open when neither its id nor its client order id shows it, whatever has become of the other order', async () => {
    harness.market.missing = 'not_executed';
    const { first, order } = await placed('of another order');
    harness.market.change(harness.market.only(first), 'closed', '0.5');
    const made = harness.market.only(order);
    harness.market.orders.splice(harness.market.orders.indexOf(made), 1);
    harness.clock.advance(DAY);
    await harness.work(5, HOUR);
    const { state, status, executedVolume } = await harness.row(order);
    expect([state, status, executedVolume.toString()]).toEqual(['open', 'open', '0']);
    expect(harness.logged.map(({ msg }) => msg)).toContain(
      'the id that the exchange gave an order is not the id of this order',
    );
  });

  it('is not reported as canceled when the exchange no longer lists it, because it may have been executed', async () => {
    harness.market.missing = 'not_executed';
    const { order } = await placed('unknown');
    harness.market.orders.length = 0;
    harness.market.forgetsAfterMs = 0;
    harness.clock.advance(DAY);
    await harness.work(5, HOUR);
    expect(await harness.row(order)).toMatchObject({ state: 'open', status: 'unknown', rawStatus: 'not_listed' });
  });
});
