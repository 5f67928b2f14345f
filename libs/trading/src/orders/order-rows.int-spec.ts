import pg from 'pg';
import { OrderBed } from '../testing/index.js';

let bed: OrderBed;

beforeAll(async () => {
  bed = await OrderBed.create();
});
afterAll(() => bed.close());
beforeEach(() => bed.newWallet());

describe('the database itself', () => {
  const refuses = async (statement: string, values: unknown[]): Promise<void> => {
    await expect(bed.db.query(statement, values)).rejects.toMatchObject({ driverError: { code: '23001' } });
  };

  it('lets nobody change what an order asks for, what was sent, or what is final', async () => {
    const order = await bed.place();
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
    bed.market.change(bed.market.only(order), 'closed', '0.5');
    await bed.read(order);
    await refuses(`update orders set status = 'canceled' where id = $1`, [order.id]);
    await refuses(`update orders set fee = 1 where id = $1`, [order.id]);
    await refuses(`update orders set next_check_at = now() where id = $1`, [order.id]);
  });

  it('lets nobody send an order twice, nor take back what was executed', async () => {
    bed.market.script = ['answer_lost'];
    const order = await bed.place();
    await refuses(`update orders set state = 'placing' where id = $1`, [order.id]);
    bed.market.change(bed.market.only(order), 'open', '0.2');
    await bed.work();
    await refuses(`update orders set executed_volume = 0.1 where id = $1`, [order.id]);
  });

  it('lets nobody delete one, not even its owner', async () => {
    const order = await bed.place();
    const owner = new pg.Client(bed.ownerUrl);
    await owner.connect();
    await expect(owner.query(`delete from orders where id = $1`, [order.id])).rejects.toMatchObject({ code: '23001' });
    await owner.end();
  });
});
