import { Amount } from '#money';
import { Random } from '../world/random.js';
import { Scheduler } from '../world/scheduler.js';
import { lastOf, shownAt } from './order-book.js';
import { OrderExchange, type OrderArrival, type OrderExchangeTraits } from './order-exchange.js';

const NO_LAGS = { by_client_id: 0, by_id: 0, open: 0, ended: 0, balances: 0 };
const TRAITS: OrderExchangeTraits = {
  deadlineMs: null,
  signedForMs: null,
  recognizes: 'every_id',
  idSearch: 'all',
  isFundsRefusalDefinite: true,
  faults: [],
  faultRate: 0,
  readErrorRate: 0,
  lags: NO_LAGS,
  isPoor: false,
};

function exchangeWith(traits: Partial<OrderExchangeTraits> = {}): { exchange: OrderExchange; scheduler: Scheduler } {
  const random = new Random(1);
  const scheduler = new Scheduler(random);
  const ignore = (): void => undefined;
  return {
    exchange: new OrderExchange({ ...TRAITS, ...traits }, { scheduler, random, onEvent: ignore, onFault: ignore }),
    scheduler,
  };
}

let steps = 0;
function arrival(changes: Partial<OrderArrival> = {}, clientOrderId = 'c1', volume = '0.5'): OrderArrival {
  const price = Amount.of('20000');
  const terms = {
    clientOrderId,
    pair: 'XBTUSD',
    side: 'sell',
    type: 'limit',
    volume: Amount.of(volume),
    price,
  } as const;
  return { key: 'A1', terms, submissionDeadline: null, sentInStep: (steps += 1), ...changes };
}

describe('the simulated exchange for orders', () => {
  it('books an order and plans its end', async () => {
    const { exchange, scheduler } = exchangeWith();
    expect(exchange.act(arrival(), false)).toMatchObject({ kind: 'accepted', exchangeIds: ['O1'] });
    for (let step = scheduler.next(); step !== null; step = scheduler.next()) await step.run();
    const [order] = exchange.book.orders;
    expect(order && lastOf(order).status).not.toBe('open');
    expect(exchange.openMatters).toBe(0);
  });

  it('refuses a client order id that it has seen, without a word about the first copy', () => {
    const { exchange } = exchangeWith();
    exchange.act(arrival(), false);
    expect(exchange.act(arrival(), false)).toMatchObject({
      kind: 'unknown',
      reason: 'EOrder:Duplicate client order id',
    });
    expect(exchange.book.orders).toHaveLength(1);
  });

  it('books a second order with the id of an order that has ended, when it recognizes open orders only', () => {
    const { exchange } = exchangeWith({ recognizes: 'open_ids' });
    exchange.act(arrival(), false);
    const [order] = exchange.book.orders;
    if (order !== undefined) exchange.book.change(order, 0, 'filled', order.volume);
    expect(exchange.act(arrival(), false)).toMatchObject({ kind: 'accepted', exchangeIds: ['O2'] });
  });

  it('accepts no order after its submission deadline', () => {
    const { exchange, scheduler } = exchangeWith({ deadlineMs: 1_000 });
    const submissionDeadline = new Date(exchange.now().getTime() + 1_000);
    scheduler.jump(1_001);
    expect(exchange.act(arrival({ submissionDeadline }), false)).toMatchObject({ reason: 'EOrder:Deadline elapsed' });
    expect(exchange.book.orders).toEqual([]);
  });

  it('holds the funds of open orders, and refuses an order above the free balance', () => {
    const { exchange } = exchangeWith({ isPoor: true });
    exchange.act(arrival(), false);
    const [base] = exchange.balances('A1', 0);
    expect([String(base?.free), String(base?.used)]).toEqual(['0.1', '0.5']);
    expect(exchange.act(arrival({}, 'c2', '0.2'), false)).toMatchObject({
      kind: 'rejected',
      reason: 'insufficient_balance',
    });
    expect(exchange.book.orders).toHaveLength(1);
  });

  it('shows an order only from the moment at which it was booked, with its state of that moment', () => {
    const { exchange, scheduler } = exchangeWith();
    scheduler.jump(1_000);
    exchange.act(arrival(), false);
    const [order] = exchange.book.orders;
    if (order === undefined) throw new Error('nothing was booked');
    exchange.book.change(order, 3_000, 'filled', order.volume);
    expect(shownAt(order, 999)).toBeNull();
    expect(shownAt(order, 2_999)?.status).toBe('open');
    expect(shownAt(order, 3_000)).toMatchObject({ status: 'filled', endedAt: 3_000 });
  });
});
