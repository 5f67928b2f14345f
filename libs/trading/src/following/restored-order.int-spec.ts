import { OrderHarness, type Order } from '../testing/index.js';

const HOUR = 3_600_000;

describe('an order in a restored database', () => {
  let harness: OrderHarness;
  beforeAll(async () => (harness = await OrderHarness.create()));
  afterAll(() => harness.close());
  beforeEach(async () => {
    await harness.db.query(`update orders set next_check_at = null where next_check_at is not null`);
    await harness.newWallet();
  });

  /** Returns a function that restores the database to this moment, as far as the order is concerned. */
  async function backUp({ id }: Order): Promise<() => Promise<void>> {
    const [kept] = await harness.db.query<{ row: object }>(`select to_jsonb(o) as row from orders o where id = $1`, [
      id,
    ]);
    return async () => {
      await harness.restore({ id });
      const text = JSON.stringify(kept?.row).replaceAll("'", "''");
      await harness.asOwner(`insert into orders select * from jsonb_populate_record(null::orders, '${text}')`);
    };
  }

  it('that was open in the backup is followed to its end, without a request of the client', async () => {
    const order = await harness.place();
    const restore = await backUp(order);
    harness.market.change(harness.market.only(order), 'closed', '0.5');
    expect(await harness.read(order)).toMatchObject({ state: 'closed', status: 'filled' });
    await restore();
    expect(await harness.row(order)).toMatchObject({ state: 'open', status: 'open' });
    await harness.work(3, HOUR);
    const { state, status, executedVolume } = await harness.row(order);
    expect([state, status, executedVolume.toString()]).toEqual(['closed', 'filled', '0.5']);
    expect((await harness.events(order)).at(-1)?.data).toMatchObject({ status: 'filled' });
  });

  it('that was being sent at the backup is found at the exchange and followed', async () => {
    const order = await harness.placeAndDie('die_after');
    const restore = await backUp(order);
    harness.clock.advance(HOUR);
    await harness.work(3);
    expect(await harness.row(order)).toMatchObject({ state: 'open' });
    await restore();
    expect(await harness.row(order)).toMatchObject({ state: 'placing' });
    harness.market.change(harness.market.only(order), 'closed', '0.5');
    await harness.work(3, HOUR);
    expect(await harness.row(order)).toMatchObject({ state: 'closed', status: 'filled' });
  });
});
