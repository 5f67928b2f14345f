import type { Order } from '#trading/testing';
import { Amount } from '#money';
import { OrderBook, type BookedOrder } from './order-book.js';
import { judgeOrders, type OrderFacts } from './order-oracle.js';
import type { OrderExchangeTraits } from './order-exchange.js';
import type { OrderCall, OrderReply } from './order-records.js';

const VOLUME = Amount.of('0.5');
const TERMS = {
  clientOrderId: 'c1',
  pair: 'XBTUSD',
  side: 'sell',
  type: 'limit',
  volume: VOLUME,
  price: null,
} as const;
const KEYED = { side: 'sell', volume: '0.5', price: null, key: 'key-1' } as const;

/** Returns the orders that the exchange has accepted: one for each step in which a request was sent. */
function bookOf(...steps: number[]): BookedOrder[] {
  const book = new OrderBook();
  for (const sentInStep of steps) book.add({ ...TERMS, account: 'A', sentInStep, bookedAt: sentInStep });
  return book.orders;
}

/** Returns a row of the service; only these columns are judged. */
function row(changes: Partial<Order>): Order {
  const columns: Partial<Order> = {
    id: 'row-1',
    state: 'open',
    status: 'open',
    rawStatus: 'open',
    exchangeIds: ['O1'],
    clientOrderId: 'c1',
    idempotencyKey: 'key-1',
    errorCode: null,
    contradictedAt: null,
    nextCheckAt: new Date(0),
    executedVolume: Amount.zero,
    ...changes,
  };
  return columns as Order;
}

function call(reply: OrderReply, changes: Partial<OrderCall> = {}): OrderCall {
  const clientOrderIds = new Set(['c1']);
  return { client: 'client1', plan: KEYED, startedAt: 1, endedAt: 20, clientOrderIds, reply, ...changes };
}

const OK: OrderReply = { kind: 'ok', id: 'row-1', status: 'open' };
const REFUSED: OrderReply = { kind: 'refused', code: 'TRADING_PROVIDER_ERROR', status: 502, result: {} };
const NO_ROW: Partial<Order> = {
  state: 'refused',
  status: 'canceled',
  exchangeIds: [],
  errorCode: 'TRADING_PROVIDER_ERROR',
};

const LAGS = { by_client_id: 0, by_id: 0, open: 0, ended: 0, balances: 0 };
const EXCHANGE: OrderExchangeTraits = {
  deadlineMs: null,
  signedForMs: null,
  recognizes: 'every_id',
  idSearch: 'all',
  isFundsRefusalDefinite: true,
  faults: [],
  faultRate: 0,
  readErrorRate: 0,
  lags: LAGS,
  isPoor: false,
};

function judged(facts: Partial<OrderFacts>): string[] {
  return judgeOrders({
    scenario: { deeds: [], exchange: EXCHANGE },
    rows: [row({})],
    book: bookOf(10),
    calls: [call(OK)],
    written: [],
    isDatabaseWell: true,
    restoredInStep: null,
    ...facts,
  });
}

describe('the oracle of orders', () => {
  it('finds nothing when the exchange, the row and the response agree', () => {
    expect(judged({})).toEqual([]);
  });

  it('reports two orders under one key, but not the copies that the network makes of one request', () => {
    expect(judged({ book: bookOf(10, 15) })).toContain('duplicate: O1, O2 were placed under the key key-1');
    expect(judged({ book: bookOf(10, 10) })).toEqual([]);
  });

  it('reports two orders of one call without a key', () => {
    const plan = { ...KEYED, key: null };
    const facts = { book: bookOf(10, 15), calls: [call(OK, { plan })], rows: [row({ idempotencyKey: null })] };
    expect(judged(facts)).toContain('duplicate: O1, O2 have one client order id');
  });

  it('reports an order at the exchange that no row contains', () => {
    expect(judged({ rows: [], calls: [call({ kind: 'lost' })] })).toEqual(['ghost: no row contains O1']);
  });

  it('excuses such an order only when a restored database has lost it and no key can find it', () => {
    const lost = { kind: 'lost' } as const;
    const plan = { ...KEYED, key: null };
    expect(judged({ rows: [], calls: [call(lost, { plan })], restoredInStep: 15 })).toEqual([]);
    expect(judged({ rows: [], calls: [call(lost)], restoredInStep: 15 })).toEqual(['ghost: no row contains O1']);
    expect(judged({ rows: [], calls: [call(lost, { plan })], restoredInStep: 5 })).toEqual([
      'ghost: no row contains O1',
    ]);
  });

  it('reports a row and a response that call an order of the exchange refused', () => {
    expect(judged({ rows: [row(NO_ROW)], calls: [call(REFUSED)] })).toEqual([
      'lost: O1 is at the exchange, but the order row-1 is refused (TRADING_PROVIDER_ERROR)',
      'false refusal: client1 got 502 TRADING_PROVIDER_ERROR, but O1 is at the exchange',
    ]);
  });

  it('excuses a wrong refusal only at an exchange whose views are very late, when the order was corrected', () => {
    const late = { deeds: [], exchange: { ...EXCHANGE, lags: { ...LAGS, ended: 30_000 } } };
    const corrected = row({ contradictedAt: new Date(0) });
    const wrong = 'false refusal: client1 got 502 TRADING_PROVIDER_ERROR, but O1 is at the exchange';
    expect(judged({ rows: [corrected], calls: [call(REFUSED)], scenario: late })).toEqual([]);
    expect(judged({ rows: [corrected], calls: [call(REFUSED)] })).toEqual([wrong]);
    expect(judged({ calls: [call(REFUSED)], scenario: late })).toEqual([wrong]);
  });

  it('excuses a refusal while another call with the same key sent the order, but no refusal of a later call', () => {
    const wrong = 'false refusal: client1 got 502 TRADING_PROVIDER_ERROR, but O1 is at the exchange';
    const sender = call(OK, { client: 'client2', startedAt: 8 });
    expect(judged({ calls: [sender, call(REFUSED)] })).toEqual([]);
    expect(judged({ calls: [sender, call(REFUSED, { startedAt: 11 })] })).toEqual([wrong]);
    expect(judged({ calls: [{ ...sender, startedAt: 12 }, call(REFUSED)] })).toEqual([wrong]);
  });

  it('accepts a conflict, which leaves open whether the order exists', () => {
    const conflict = { ...REFUSED, code: 'GENERIC_INVALID_REQUEST', status: 409 } as const;
    expect(judged({ calls: [call(conflict)] })).toEqual([]);
  });

  it('reports an order that stays unknown, and one that the worker has given up', () => {
    const unknown: Partial<Order> = { state: 'unknown', status: 'unknown', exchangeIds: [] };
    expect(judged({ rows: [row(unknown)] })).toEqual(['stuck: the order row-1 is unknown']);
    expect(judged({ rows: [row({ ...unknown, nextCheckAt: null })] })).toEqual([
      'stuck: the order row-1 is unknown and is not followed',
    ]);
  });

  it('reports an end that is not the end at the exchange', () => {
    const [booked, ...others] = bookOf(10);
    if (booked === undefined) throw new Error('the book is empty');
    new OrderBook().change(booked, 30, 'filled', VOLUME);
    const closed = row({ state: 'closed', status: 'canceled', rawStatus: 'canceled' });
    expect(judged({ book: [booked, ...others], rows: [closed] })).toEqual([
      'false end: the order row-1 (closed, canceled) is canceled, but O1 is filled',
    ]);
    expect(judged({ book: [booked], rows: [row({})] })).toEqual([
      'not followed: the order row-1 (open, open) has ended at the exchange as filled',
    ]);
  });

  it('reports a link to an order of another request', () => {
    expect(judged({ rows: [row({ exchangeIds: ['O9'] })] })).toEqual([
      'wrong link: the order row-1 (open, open) is linked to O9, which is not its own',
    ]);
  });

  it('reports a result that changes under one key, unless the order was proven absent', () => {
    const other = call({ ...OK, id: 'row-2' }, { startedAt: 30, endedAt: 40 });
    const changed = 'changed result: client1 got the order row-2, but an earlier call with key-1 got the order row-1';
    expect(judged({ calls: [call(OK), other] })).toEqual([changed]);
    const absent = row({ ...NO_ROW, state: 'not_placed' });
    const again = row({ id: 'row-2' });
    const doubtful = call({ ...OK, status: 'unknown' });
    expect(judged({ calls: [doubtful, other], rows: [absent, again], book: bookOf(35) })).toEqual([]);
  });

  it('reports a second submission, unless the first one was proven absent', () => {
    const written = ['row-1', 'row-2'].map((orderId, index) => ({ clientOrderId: 'c1', orderId, inStep: index }));
    const again = row({ id: 'row-2' });
    expect(judged({ written, rows: [row(NO_ROW), again] })).toEqual([
      'second submission: c1 was written again, after the order row-1',
    ]);
    expect(judged({ written, rows: [row({ ...NO_ROW, state: 'not_placed' }), again] })).toEqual([]);
  });

  it('reports an internal error unless the database has failed', () => {
    const calls = [call({ kind: 'broken', message: 'Error: x' })];
    expect(judged({ calls })).toEqual(['client1 got a 500, but nothing had failed: Error: x']);
    expect(judged({ calls, isDatabaseWell: false })).toEqual([]);
    expect(judged({ calls, restoredInStep: 20 })).toEqual([]);
    expect(judged({ calls, restoredInStep: 21 })).toHaveLength(1);
  });
});
