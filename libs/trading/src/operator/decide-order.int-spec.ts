import { OrderHarness } from '../testing/index.js';
import { DecideOrder } from './decide-order.js';

const HOUR = 3_600_000;

describe('an order that an operator has recorded as never placed', () => {
  let harness: OrderHarness;
  beforeAll(async () => (harness = await OrderHarness.create()));
  afterAll(() => harness.close());

  it('is still compared with the exchange, and is corrected when the exchange has it after all', async () => {
    await harness.newWallet();
    harness.market.script = ['answer_lost'];
    const order = await harness.place();
    // The exchange has the order, but does not show it for some time.
    const hidden = harness.market.orders.splice(0);
    harness.clock.advance(HOUR);
    await harness.db.query(`update orders set next_check_at = null where id = $1`, [order.id]);
    await harness.get(DecideOrder).execute({
      ...{ id: order.id, operator: 'Ada', outcome: 'not_placed', exchangeId: null },
      ...{ reason: 'not in the list of orders', isAbsenceConfirmed: true },
    });
    expect(await harness.row(order)).toMatchObject({ state: 'not_placed', contradictedAt: null });
    harness.market.orders.push(...hidden);
    await harness.work(3, HOUR);
    expect(await harness.row(order)).toMatchObject({ state: 'open', contradictedAt: expect.any(Date) as Date });
  });
});
