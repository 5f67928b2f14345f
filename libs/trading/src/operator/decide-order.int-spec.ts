import { ExchangeError } from '#exchange';
import { OrderHarness, type Order } from '../testing/index.js';
import { OrderStore } from '../orders/order-store.js';
import { DecideOrder, type DecideOrderInput } from './decide-order.js';

const HOUR = 3_600_000;
const absent = { outcome: 'not_placed', reason: 'not in the list of orders', isAbsenceConfirmed: true } as const;

let harness: OrderHarness;
beforeAll(async () => (harness = await OrderHarness.create()));
afterAll(() => harness.close());
beforeEach(async () => {
  await harness.db.query(`update orders set next_check_at = null where next_check_at is not null`);
  await harness.newWallet();
  Object.assign(harness.market, { isDown: false, script: ['answer_lost'], wrongId: null });
  harness.market.orders.length = 0;
});

/** Places an order whose outcome stays unknown until an operator decides. The exchange has it, and may hide it. */
async function inReview({ isShown = false } = {}): Promise<Order> {
  const order = await harness.place();
  if (!isShown) harness.market.orders.length = 0;
  harness.clock.advance(HOUR);
  await harness.db.query(`update orders set next_check_at = null where id = $1`, [order.id]);
  return harness.row(order);
}

const decide = ({ id }: Pick<Order, 'id'>, given: Partial<DecideOrderInput>): Promise<void> =>
  harness.get(DecideOrder).execute({
    id,
    operator: 'Ada',
    outcome: 'placed',
    exchangeId: null,
    reason: null,
    isAbsenceConfirmed: false,
    ...given,
  });

const auditOf = ({ id }: Pick<Order, 'id'>): Promise<object[]> =>
  harness.db.query(`select actor, action, details, project_id from audit_entries where subject = $1`, [id]);

describe('an order that an operator has recorded as never placed', () => {
  it('is still compared with the exchange, and is corrected when the exchange has it after all', async () => {
    const order = await harness.place();
    // The exchange has the order, but does not show it for some time.
    const hidden = harness.market.orders.splice(0);
    harness.clock.advance(HOUR);
    await harness.db.query(`update orders set next_check_at = null where id = $1`, [order.id]);
    await decide(order, absent);
    expect(await harness.row(order)).toMatchObject({ state: 'not_placed', contradictedAt: null });
    expect(await auditOf(order)).toEqual([
      {
        actor: 'Ada',
        action: 'order.settled',
        project_id: harness.project.id,
        details: { exchange: 'kraken', outcome: 'not_placed', exchangeId: null, reason: absent.reason },
      },
    ]);
    harness.market.orders.push(...hidden);
    await harness.work(3, HOUR);
    expect(await harness.row(order)).toMatchObject({ state: 'open', contradictedAt: expect.any(Date) as Date });
  });
});

describe('the decision that the exchange has an order', () => {
  it('is recorded with its audit entry when the exchange shows the order under the id', async () => {
    const order = await inReview({ isShown: true });
    await decide(order, { exchangeId: 'X1' });
    expect(await harness.row(order)).toMatchObject({ state: 'open', exchangeIds: ['X1'] });
    expect(await auditOf(order)).toMatchObject([{ details: { outcome: 'placed', exchangeId: 'X1', reason: null } }]);
    expect(await harness.areHeld()).toBe(false);
  });

  it('needs a reason when the exchange does not show the id, and is recorded with one', async () => {
    const order = await inReview();
    await expect(decide(order, { exchangeId: 'X9' })).rejects.toThrow(/does not show the order X9; explain/);
    await decide(order, { exchangeId: 'X9', reason: 'seen in the export of the account' });
    expect(await harness.row(order)).toMatchObject({ state: 'open', exchangeIds: ['X9'] });
  });

  it.each([
    ['the client order id', { clientOrderId: 'another' }],
    ['the side', { description: { pair: 'XBTUSD', side: 'buy', type: 'limit' } }],
    ['the volume', { volume: '0.6' }],
  ])('is refused when %s of the order with this id differs', async (_what, other) => {
    const order = await inReview({ isShown: true });
    const [made] = harness.market.orders;
    harness.market.wrongId = 'X1';
    const volume = 'volume' in other ? { volume: order.volume.plus(order.volume) } : {};
    Object.assign(made ?? {}, other, volume);
    const decided = decide(order, { exchangeId: 'X1', reason: 'seen' });
    await expect(decided).rejects.toThrow(/has another client order id, side or volume/);
    expect(await harness.row(order)).toMatchObject({ state: 'unknown' });
  });

  it('is recorded when the exchange keeps no client order ids', async () => {
    const order = await inReview({ isShown: true });
    harness.market.wrongId = 'X1';
    Object.assign(harness.market.orders[0] ?? {}, { clientOrderId: null });
    await decide(order, { exchangeId: 'X1' });
    expect(await harness.row(order)).toMatchObject({ state: 'open' });
  });
});

describe('a decision about an order', () => {
  it.each([
    ['without an id of the exchange', {}, /exchangeId is required/],
    ['without a reason', { ...absent, reason: null }, /reason is required/],
    ['without the confirmation of the operator', { ...absent, isAbsenceConfirmed: false }, /Make sure at the exchange/],
    ['by an operator without a name', { ...absent, operator: '' }, /by must be/],
    ['with a control character in the reason', { ...absent, reason: 'a\u0000b' }, /reason must be/],
    ['with a reason of 501 characters', { ...absent, reason: 'x'.repeat(501) }, /reason must be/],
    ['with an empty id of the exchange', { exchangeId: '' }, /exchangeId must be/],
  ])('is refused %s', async (_what, given: Partial<DecideOrderInput>, message) => {
    const order = await inReview();
    await expect(decide(order, given)).rejects.toThrow(message);
    expect(await harness.row(order)).toMatchObject({ state: 'unknown' });
    expect(await auditOf(order)).toEqual([]);
  });

  it.each([
    ['that it was placed', { exchangeId: 'X1' }],
    ['that it was never placed', absent],
  ])('%s is refused while the exchange cannot be queried', async (_what, given: Partial<DecideOrderInput>) => {
    const order = await inReview();
    harness.market.isDown = true;
    await expect(decide(order, given)).rejects.toThrow(/cannot be queried now/);
    expect(await harness.row(order)).toMatchObject({ state: 'unknown' });
  });

  it.each([
    ['that it was placed', { exchangeId: 'X9' }, /does not show the order X9; explain/],
    ['that it was placed, with a reason', { exchangeId: 'X9', reason: 'seen' }, null],
    ['that it was never placed', absent, null],
  ])(
    '%s needs no response when the exchange refuses the key',
    async (_what, given: Partial<DecideOrderInput>, message) => {
      const order = await inReview();
      harness.market.onRead = () => {
        throw new ExchangeError('credentials_invalid', 'kraken', 'scripted');
      };
      const decided = decide(order, given).finally(() => (harness.market.onRead = () => undefined));
      await (message === null ? decided : expect(decided).rejects.toThrow(message));
    },
  );

  it('that it was never placed is refused when the exchange shows the order', async () => {
    const order = await inReview({ isShown: true });
    await expect(decide(order, absent)).rejects.toThrow(/shows the order as X1 \(open\), so it was placed/);
  });

  it('is refused for an unknown id, while the worker may still settle the order, and after another decision', async () => {
    await expect(decide({ id: harness.clock.newId() }, absent)).rejects.toMatchObject({
      code: 'TRADING_ORDER_NOT_FOUND',
    });
    harness.market.script.push('answer_lost');
    const young = await harness.place({ volume: '0.7' });
    harness.market.orders.length = 0;
    await expect(decide(young, absent)).rejects.toThrow(/operators decide only orders in review/);
    const order = await inReview();
    // Another operator decides while this decision asks the exchange.
    let decisions = 0;
    harness.market.onRead = async () => {
      if (decisions++ === 0) await decide(order, absent);
    };
    const late = decide(order, { exchangeId: 'X9', reason: 'seen' }).finally(
      () => (harness.market.onRead = () => undefined),
    );
    await expect(late).rejects.toThrow(/operators decide only orders in review/);
    expect(await harness.get(OrderStore).find(order.id)).toMatchObject({ state: 'not_placed' });
    expect(await auditOf(order)).toHaveLength(1);
  });
});
