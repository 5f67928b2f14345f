import { ExchangeError } from '#exchange';
import { Amount } from '#money';
import { OrderHarness, type Order } from '../testing/index.js';
import { EndOrder, type EndOrderInput } from './end-order.js';
import { ListOrders } from './list-orders.js';

const HOUR = 3_600_000;

describe('an open order that its exchange no longer lists', () => {
  let harness: OrderHarness;
  beforeAll(async () => (harness = await OrderHarness.create()));
  afterAll(() => harness.close());
  beforeEach(async () => {
    await harness.db.query(`update orders set next_check_at = null where next_check_at is not null`);
    await harness.newWallet();
    harness.market.missing = 'ended';
  });

  /** Places an order, reports an executed part, and removes the order from the lists of the exchange. */
  async function unlisted(executed = '0'): Promise<Order> {
    const order = await harness.place();
    harness.market.change(harness.market.only(order), 'open', executed);
    harness.clock.advance(60_000);
    await harness.read(order);
    harness.market.orders.length = 0;
    harness.clock.advance(24 * HOUR);
    await harness.work(3, HOUR);
    return harness.row(order);
  }

  const end = ({ id }: Order, executed: string, given: Partial<EndOrderInput> = {}): Promise<void> =>
    harness
      .get(EndOrder)
      .execute({ id, operator: 'Ada', executedVolume: Amount.of(executed), cost: null, reason: 'statement', ...given });
  const listed = async (): Promise<string[]> => {
    const page = { page: 0, limit: 50 };
    const externalWalletId = harness.wallet.externalId;
    const items = await harness.get(ListOrders).execute({ states: ['unlisted'], externalWalletId, page });
    return items.map(({ id }) => id);
  };

  it('is listed on the page of its place in the list, the oldest first', async () => {
    const orders = [
      await harness.place(),
      await harness.place({ volume: '0.6' }),
      await harness.place({ volume: '0.7' }),
    ];
    const open = async (page: number): Promise<string[]> => {
      const externalWalletId = harness.wallet.externalId;
      const filter = { states: ['open' as const], externalWalletId, page: { page, limit: 2 } };
      return (await harness.get(ListOrders).execute(filter)).map(({ id }) => id);
    };
    const ids = orders.map(({ id }) => id);
    expect([await open(0), await open(1), await open(2)]).toEqual([ids.slice(0, 2), ids.slice(2), []]);
  });

  it('is listed as unlisted, and is filled when an operator records that its whole volume was executed', async () => {
    const order = await unlisted();
    expect(await listed()).toEqual([order.id]);
    await end(order, '0.5', { cost: Amount.of('9000') });
    const { state, status, rawStatus, executedVolume, cost, averagePrice, nextCheckAt } = await harness.row(order);
    expect({ state, status, rawStatus, nextCheckAt }).toEqual({
      state: 'closed',
      status: 'filled',
      rawStatus: 'settled_by_operator',
      nextCheckAt: null,
    });
    expect([executedVolume, cost, averagePrice].map(String)).toEqual(['0.5', '9000', '18000']);
    expect(await listed()).toEqual([]);
    const entries = await harness.db.query(`select actor, action, details from audit_entries where subject = $1`, [
      order.id,
    ]);
    expect(entries).toMatchObject([
      {
        actor: 'Ada',
        action: 'order.settled',
        details: { outcome: 'ended', executedVolume: '0.5', reason: 'statement' },
      },
    ]);
    expect((await harness.events(order)).at(-1)?.data).toMatchObject({ status: 'filled' });
  });

  it('is canceled with the cost of the last report when nothing more was executed', async () => {
    const order = await unlisted('0.2');
    await end(order, '0.2');
    const { status, executedVolume, cost } = await harness.row(order);
    expect([status, String(executedVolume), String(cost)]).toEqual(['canceled', '0.2', String(order.cost)]);
  });

  it.each([
    ['less than the exchange has reported', '0.1', {}],
    ['less than the exchange has reported, at a higher cost', '0.1', { cost: Amount.of('5000') }],
    ['more than its volume', '0.6', { cost: Amount.of('12000') }],
    ['more than reported without a cost', '0.5', {}],
    ['more than reported at a lower cost', '0.5', { cost: Amount.of('3999') }],
    ['another cost than reported of the same volume', '0.2', { cost: Amount.of('1') }],
    ['a reason with control characters', '0.2', { reason: 'a\nb' }],
  ])('is not settled with %s', async (_what, executed, given) => {
    const order = await unlisted('0.2');
    await expect(end(order, executed, given)).rejects.toMatchObject({ code: 'GENERIC_VALIDATION_ERROR' });
    expect(await harness.row(order)).toMatchObject({ state: 'open' });
  });

  it('is not settled with an execution that cost nothing', async () => {
    const order = await unlisted();
    await expect(end(order, '0.5', { cost: Amount.zero })).rejects.toThrow(/cost must be above zero/);
  });

  it('is not settled while the exchange cannot be queried, and is settled when it refuses the key', async () => {
    const order = await unlisted();
    harness.market.isDown = true;
    await expect(end(order, '0')).rejects.toThrow(/cannot be queried now/);
    harness.market.isDown = false;
    harness.market.onRead = () => {
      throw new ExchangeError('credentials_invalid', 'kraken', 'scripted');
    };
    await end(order, '0').finally(() => (harness.market.onRead = () => undefined));
    expect(await harness.row(order)).toMatchObject({ state: 'closed', status: 'canceled' });
  });

  it('is not settled by hand when the exchange shows it again, or while the exchange may list it', async () => {
    const order = await harness.place();
    const [made] = harness.market.orders.splice(0);
    await expect(end(order, '0')).rejects.toThrow(/operators decide only orders in review/);
    harness.clock.advance(24 * HOUR);
    await harness.work(3, HOUR);
    expect(await harness.row(order)).toMatchObject({ rawStatus: 'not_listed' });
    if (made !== undefined) harness.market.orders.push(made);
    await expect(end(order, '0')).rejects.toThrow(/shows the order again/);
  });
});
