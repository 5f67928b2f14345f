import type { Reply } from './api-client.js';
import type { OrderRecord } from './installation/exchange-control.js';
import { judgeOrders, type AskedOrder, type OrderFacts } from './order-oracle.js';
import type { OrderRow } from './order-rows.js';

const from = 'http://api';
const success = (orderId = 'o1', status = 'open'): Reply => ({ from, status: 200, body: { orderId, status } });
const refusal: Reply = { from, status: 400, body: { error: 'no', type: 'GENERIC_INVALID_REQUEST' } };
const read = (status: string, rawStatus: string, executedVolume: string): Reply => ({
  from,
  status: 200,
  body: { orderId: 'o1', status, rawStatus, executedVolume },
});
const filled = read('filled', 'closed', '11');
const absent = read('canceled', 'not_placed', '0');

const order = (changes: Partial<AskedOrder> = {}): AskedOrder => ({
  key: 'k1',
  volume: '11',
  replies: [{ from, failure: 'ECONNRESET' }, success()],
  reads: [filled, filled],
  ...changes,
});
const record = (changes: Partial<OrderRecord> = {}): OrderRecord => ({
  id: 'O-1',
  volume: '11.0',
  executedVolume: '11.00',
  status: 'closed',
  ...changes,
});
const row = (changes: Partial<OrderRow> = {}): OrderRow => ({
  id: 'o1',
  key: 'k1',
  state: 'closed',
  isContradicted: false,
  ...changes,
});

/** The facts of an order that was placed and filled once, with the changes of the test. */
const facts = (changes: Partial<OrderFacts> = {}): OrderFacts => ({
  orders: [order()],
  records: [record()],
  rows: [row()],
  ...changes,
});
const notPlaced = facts({
  orders: [order({ replies: [success('o1', 'unknown'), success('o1', 'canceled')], reads: [absent] })],
  records: [],
  rows: [row({ state: 'not_placed' })],
});
const refused = facts({
  orders: [order({ replies: [refusal, refusal], reads: [] })],
  records: [],
  rows: [row({ state: 'refused' })],
});

describe('the oracle of orders', () => {
  it.each<[string, OrderFacts]>([
    ['an order that was placed once', facts()],
    [
      'an order that the owner canceled',
      facts({
        orders: [order({ reads: [read('canceled', 'canceled', '0')] })],
        records: [record({ status: 'canceled', executedVolume: '0' })],
      }),
    ],
    ['an order that was never placed, and is reported as such', notPlaced],
    ['an order that was refused', refused],
    [
      'an order that was not sent, and was then placed by a repeat',
      facts({ rows: [row({ state: 'not_placed' }), row()] }),
    ],
    [
      'a repeat that was told to wait',
      facts({ orders: [order({ replies: [{ from, status: 409, body: {} }, success()] })] }),
    ],
    [
      'two orders',
      facts({
        orders: [order(), order({ key: 'k2', volume: '12', reads: [] })],
        records: [record(), record({ id: 'O-2', volume: '12' })],
        rows: [row(), row({ id: 'o2', key: 'k2' })],
      }),
    ],
    ['a schedule without orders', facts({ orders: [], records: [], rows: [] })],
  ])('finds nothing wrong with %s', (_what, good) => {
    expect(judgeOrders(good)).toEqual([]);
  });

  it.each<[string, OrderFacts, RegExp]>([
    [
      'a second order at the exchange',
      facts({ records: [record(), record({ id: 'O-2' })] }),
      /^duplicate: O-1, O-2 for/,
    ],
    [
      'an order at the exchange for which no client asked',
      facts({ records: [record(), record({ id: 'O-2', volume: '7' })] }),
      /^duplicate: nobody asked for the order O-2/,
    ],
    ['two placed orders of one key', facts({ rows: [row(), row({ id: 'o2' })] }), /^duplicate: 2 rows/],
    [
      'an order that stays in the state placing',
      facts({ rows: [row({ state: 'placing' })] }),
      /^stuck: order o1 is placing/,
    ],
    ['an order that stays unknown', facts({ rows: [row({ state: 'unknown' })] }), /^stuck: order o1 is unknown/],
    ['an order that stays open', facts({ rows: [row({ state: 'open' })] }), /^stuck: order o1 is open/],
    [
      'a placed order that the exchange does not have',
      facts({ records: [] }),
      /^unplaced: the exchange has no order k1/,
    ],
    [
      'an order that was reported as placed, and that counts as never placed later',
      { ...notPlaced, orders: [order({ reads: [absent] })] },
      /^unplaced: order k1 was reported as placed, but the exchange has none/,
    ],
    [
      'an order that counts as never placed, and that the exchange has',
      { ...notPlaced, records: [record()] },
      /^lost: the exchange has O-1 for k1, which is not_placed/,
    ],
    [
      'an order that counts as refused, and that the exchange has',
      { ...refused, records: [record()] },
      /^lost: the exchange has O-1 for k1, which is refused/,
    ],
    [
      'a refusal in response to a request whose order the exchange has',
      facts({ orders: [order({ replies: [refusal], reads: [] })] }),
      /^lost: order k1 got a refusal, but the exchange has O-1/,
    ],
    [
      'an order at the exchange whose request was never stored',
      facts({ rows: [] }),
      /^lost: the exchange has O-1 for k1, which is $/,
    ],
    [
      'an order that was corrected after it had been reported as absent',
      facts({ rows: [row({ isContradicted: true })] }),
      /^lost: order o1 was reported as absent/,
    ],
    [
      'an order without a final response',
      facts({
        orders: [
          order({
            replies: [
              { from, status: 502, body: {} },
              { from, status: 409, body: {} },
            ],
          }),
        ],
      }),
      /^no answer for order k1/,
    ],
    [
      'responses with two order ids',
      facts({ orders: [order({ replies: [success(), success('o2')] })] }),
      /^different answers for order k1: o1, o2/,
    ],
    [
      'a refusal after a success',
      facts({ orders: [order({ replies: [success(), refusal] })] }),
      /^order k1 got a success response and a refusal/,
    ],
    [
      'a read with another status than the exchange has',
      facts({ orders: [order({ reads: [filled, read('canceled', 'canceled', '11')] })] }),
      /^order k1 is reported as canceled \(canceled, executed 11\), and the exchange has it as closed/,
    ],
    [
      'a read with another executed volume than the exchange has',
      facts({ orders: [order({ reads: [read('filled', 'closed', '10')] })] }),
      /^order k1 is reported as filled \(closed, executed 10\)/,
    ],
    [
      'a canceled order that is reported as never placed',
      facts({ orders: [order({ reads: [absent] })], records: [record({ status: 'canceled', executedVolume: '0' })] }),
      /^order k1 is reported as canceled \(not_placed, executed 0\), and the exchange has it as canceled/,
    ],
    [
      'a read of a placed order that the exchange does not have',
      { ...notPlaced, orders: [order({ reads: [filled] })] },
      /^order k1 is reported as filled \(closed, executed 11\), and the exchange has none/,
    ],
    [
      'an order that cannot be read',
      facts({ orders: [order({ reads: [{ from, status: 404, body: {} }] })] }),
      /^order k1 cannot be read/,
    ],
  ])('finds %s', (_what, bad, problem) => {
    expect(judgeOrders(bad)).toContainEqual(expect.stringMatching(problem));
  });
});
