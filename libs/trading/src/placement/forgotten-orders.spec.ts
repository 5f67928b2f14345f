import { ExchangeError, type ExchangeOrder, type TradingCapability } from '#exchange';
import { Amount } from '#money';
import type { DatabaseTime } from '#platform/database';
import { capturedLog, testConfig } from '#platform/testing';
import { OrderKeyReused, OrderRefused } from '../orders/order.errors.js';
import type { OrderStore } from '../orders/order-store.js';
import type { OrderTransitions } from '../orders/order-transitions.js';
import type { Order } from '../orders/order.entity.js';
import { ForgottenOrders } from './forgotten-orders.js';

const config = testConfig({ appUrl: 'postgres://localhost/unused' });
const { IDEMPOTENCY_TTL_SECONDS } = config.values;
const { ORDER_DEADLINE_SECONDS, ORDER_SETTLE_SECONDS } = config.constants;
const { ORDER_ABSENCE_SECONDS } = config.constants;
const NOW = new Date('2026-06-20T12:00:00Z');
const ago = (seconds: number): Date => new Date(NOW.getTime() - seconds * 1_000);
const time: DatabaseTime = { now: () => NOW, requireSteadyHost: () => undefined };

const order = {
  id: 'order',
  idempotencyKey: 'key',
  clientOrderId: 'client',
  request: {},
  createdAt: NOW,
  side: 'sell',
  type: 'limit',
  volume: Amount.of('0.5'),
  price: Amount.of('20000'),
  submissionDeadline: new Date(NOW.getTime() + 30_000),
} as Order;
const same = {
  exchangeId: 'X1',
  volume: Amount.of('0.5'),
  limitPrice: Amount.of('20000'),
  openedAt: ago(60),
  description: { pair: 'XBTUSD', side: 'SELL', type: 'Limit' },
} as ExchangeOrder;

interface World {
  order?: Partial<Order>;
  seen?: ExchangeOrder | Error | null;
  isRecent?: boolean;
  isTooRecent?: boolean;
  signedForMs?: number | null;
}

async function find({ seen = null, isRecent = true, isTooRecent = false, signedForMs = null, ...world }: World) {
  const happened: unknown[] = [];
  const store: Pick<OrderStore, 'restoredSince'> = {
    restoredSince: (recent, tooRecent) => {
      happened.push(['restored since', recent, tooRecent]);
      return Promise.resolve({ isRecent, isTooRecent });
    },
  };
  const transitions: Pick<OrderTransitions, 'read' | 'notSent'> = {
    read: (_order, found) => Promise.resolve({ ...order, exchangeIds: [found.exchangeId] }),
    notSent: () => Promise.resolve(void happened.push('not sent') as never),
  };
  const trading: Partial<TradingCapability> = {
    signedForMs,
    find: ({ isProofNeeded }) => {
      happened.push(['searched', isProofNeeded]);
      return seen instanceof Error ? Promise.reject(seen) : Promise.resolve(seen);
    },
  };
  const forgotten = new ForgottenOrders(
    store as OrderStore,
    transitions as OrderTransitions,
    config,
    capturedLog().logger,
  );
  const asked = { ...order, ...world.order };
  const answer = await forgotten.find(trading as TradingCapability, asked, time).catch((error: unknown) => error);
  return { answer, happened, explain: (error: unknown, key: string | null) => forgotten.explain(error, key, time) };
}

describe('an order that a restored database may have forgotten', () => {
  it('is not searched without a key, or when no restore was recent', async () => {
    expect(await find({ order: { idempotencyKey: null } })).toMatchObject({ answer: null, happened: [] });
    const { answer, happened } = await find({ isRecent: false, seen: same });
    expect([answer, happened.length]).toEqual([null, 1]);
  });

  it('may be sent when a search proves that the exchange does not have it', async () => {
    const { answer, happened } = await find({});
    expect([answer, happened.at(-1)]).toEqual([null, ['searched', true]]);
  });

  it.each<[string, World]>([
    ['soon after the restore', { isTooRecent: true }],
    // The period of a key has 365 days since 1970.
    ['when the key had another client order id in an earlier period', { order: { createdAt: ago(-400 * 86_400) } }],
  ])('is not sent %s, because a search proves nothing', async (_when, world) => {
    const { answer, happened } = await find(world);
    expect(answer).toBeInstanceOf(OrderRefused);
    expect(happened.slice(1)).toEqual([['searched', false], 'not sent']);
  });

  it.each<[string, Partial<ExchangeOrder>, Partial<Order>]>([
    ['with its terms', {}, {}],
    [
      'as a market order',
      { description: { pair: 'p', side: 'sell', type: 'market' } },
      { type: 'market', price: null },
    ],
    ['without a limit price', { limitPrice: null }, {}],
    ['without a time', { openedAt: null }, {}],
    ['from the first moment of the lifetime of the key', { openedAt: ago(IDEMPOTENCY_TTL_SECONDS) }, {}],
  ])('is the order that the exchange shows %s', async (_how, shown, terms) => {
    const { answer } = await find({ seen: { ...same, ...shown }, order: terms });
    expect(answer).toMatchObject({ exchangeIds: ['X1'] });
  });

  it.each<[string, Partial<ExchangeOrder>]>([
    ['volume', { volume: Amount.of('0.6') }],
    ['price', { limitPrice: Amount.of('20001') }],
    ['side', { description: { ...same.description, side: 'buy' } }],
    ['type', { description: { ...same.description, type: 'market' } }],
    ['lifetime of its key', { openedAt: ago(IDEMPOTENCY_TTL_SECONDS + 1) }],
  ])('is not an order with another %s, and its key is reused', async (_what, shown) => {
    const { answer, happened } = await find({ seen: { ...same, ...shown } });
    expect([answer instanceof OrderKeyReused, happened.at(-1)]).toEqual([true, 'not sent']);
  });

  it('is not sent when the exchange cannot be searched; a refused key is reported as such', async () => {
    const outage = await find({ seen: new ExchangeError('unavailable', 'kraken', 'scripted') });
    expect([outage.answer instanceof OrderRefused, outage.happened.at(-1)]).toEqual([true, 'not sent']);
    const refused = new ExchangeError('credentials_invalid', 'kraken', 'scripted');
    const { answer, happened } = await find({ seen: refused });
    expect([answer, happened.at(-1)]).toEqual([refused, 'not sent']);
  });

  it.each([
    ['the deadline of the earlier order', order.submissionDeadline, null, ORDER_DEADLINE_SECONDS],
    [
      'the signature of the earlier order',
      order.submissionDeadline,
      (ORDER_DEADLINE_SECONDS + 9) * 1_000,
      ORDER_DEADLINE_SECONDS + 9,
    ],
    ['what the exchange may do late', null, 5_000, ORDER_DEADLINE_SECONDS + ORDER_ABSENCE_SECONDS],
  ])(
    'is searched without proof until %s and the lists have settled',
    async (_what, submissionDeadline, signedForMs, seconds) => {
      const { happened } = await find({ order: { submissionDeadline }, signedForMs });
      expect(happened[0]).toEqual([
        'restored since',
        ago(IDEMPOTENCY_TTL_SECONDS),
        ago(seconds + ORDER_SETTLE_SECONDS),
      ]);
    },
  );

  it('explains an outage of the exchange only for a request with a key after a recent restore', async () => {
    const error = new ExchangeError('unavailable', 'kraken', 'scripted');
    const [{ explain }, unrestored] = [await find({}), await find({ isRecent: false })];
    expect(await explain(error, 'key')).toBeInstanceOf(OrderRefused);
    expect(await explain(error, null)).toBe(error);
    expect(await unrestored.explain(error, 'key')).toBe(error);
    for (const other of [new ExchangeError('credentials_invalid', 'kraken', 'scripted'), new TypeError('ours')])
      expect(await explain(other, 'key')).toBe(other);
  });
});
