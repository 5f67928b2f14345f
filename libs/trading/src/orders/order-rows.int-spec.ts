import pg from 'pg';
import { DAY_MS } from '#platform/clock';
import { OrderHarness } from '../testing/index.js';
import { OrderStore } from './order-store.js';

let harness: OrderHarness;

beforeAll(async () => {
  harness = await OrderHarness.create();
});
afterAll(() => harness.close());
beforeEach(() => harness.newWallet());

describe('the database', () => {
  const refuses = async (statement: string, values: unknown[]): Promise<void> => {
    await expect(harness.db.query(statement, values)).rejects.toMatchObject({ code: '23001' });
  };

  it('refuses changes of the terms, the request and the ids of an order, and any change of a final order', async () => {
    const order = await harness.place();
    for (const change of [
      'volume = 1',
      `side = 'buy'`,
      `client_order_id = 'x'`,
      `request = '{}'`,
      `exchange_ids = '{x}'`,
    ]) {
      await refuses(`update orders set ${change} where id = $1`, [order.id]);
    }
    await refuses(`update orders set state = 'placing', status = 'unknown', exchange_ids = '{}' where id = $1`, [
      order.id,
    ]);
    await refuses(`update orders set state = 'refused', status = 'canceled', error_code = 'x', next_check_at = null where id = $1`, [order.id]); // prettier-ignore
    harness.market.change(harness.market.only(order), 'closed', '0.5');
    await harness.read(order);
    await refuses(`update orders set status = 'canceled' where id = $1`, [order.id]);
    await refuses(`update orders set fees = null where id = $1`, [order.id]);
    await refuses(`update orders set next_check_at = now() where id = $1`, [order.id]);
  });

  it('refuses to set an order back to sending, and to reduce its executed volume', async () => {
    harness.market.script = ['answer_lost'];
    const order = await harness.place();
    await refuses(`update orders set state = 'placing' where id = $1`, [order.id]);
    harness.market.change(harness.market.only(order), 'open', '0.2');
    await harness.work();
    await refuses(`update orders set executed_volume = 0.1 where id = $1`, [order.id]);
  });

  it('refuses the deletion of an order that has not ended, or ended less than 398 days ago, even by the owner of the table', async () => {
    const days = (count: number): number => Date.now() - count * DAY_MS;
    harness.clock.at = days(450);
    const open = await harness.place();
    const endedLate = await harness.place({ volume: '0.6' });
    harness.clock.at = days(397);
    harness.market.change(harness.market.only(endedLate), 'closed', '0.6');
    await harness.read(endedLate);
    const owner = new pg.Client(harness.ownerUrl);
    await owner.connect();
    for (const { id } of [open, endedLate])
      await expect(owner.query(`delete from orders where id = $1`, [id])).rejects.toMatchObject({ code: '23001' });
    await owner.end();
  });
});

describe('an order that is not being placed any more', () => {
  it.each(['answer_lost', 'accept'] as const)('is not sent again: %s', async (script) => {
    harness.market.script = [script];
    const order = await harness.place();
    const { request, submissionDeadline } = order;
    const again = harness.get(OrderStore).sendAgain(order, { request, submissionDeadline }, harness.clock.now());
    expect(await again).toBeNull();
  });
});

describe('the orders in doubt of a wallet', () => {
  it('are counted for the pause between two checks only while they are checked', async () => {
    harness.market.script = ['answer_lost', 'answer_lost'];
    const [first, second] = [await harness.place(), await harness.place({ volume: '0.6' })];
    const store = harness.get(OrderStore);
    expect(await store.countLike(first)).toBe(2);
    await harness.db.query(`update orders set next_check_at = null where id = $1`, [second.id]);
    expect(await store.countLike(first)).toBe(1);
  });
});
