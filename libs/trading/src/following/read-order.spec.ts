import {
  ExchangeError,
  OrderTooOld,
  type ExchangeOrder,
  type ExchangeSession,
  type TradingCapability,
} from '#exchange';
import { Amount } from '#money';
import type { DatabaseTime } from '#platform/database';
import { capturedLog, testConfig } from '#platform/testing';
import { nextComparison, sentAfter } from '../orders/order-times.js';
import type { NextCheck } from '../orders/next-check.js';
import type { OrderMetrics } from '../orders/order.metrics.js';
import type { OrderStore } from '../orders/order-store.js';
import type { OrderTransitions } from '../orders/order-transitions.js';
import type { Order } from '../orders/order.entity.js';
import { ReadOrder } from './read-order.js';

const config = testConfig({ appUrl: 'postgres://localhost/unused' });
const { ORDER_CLEAN_SEARCHES, ORDER_UNLISTED_CHECK_SECONDS, ORDER_CHECK_SECONDS, ORDER_ABSENCE_SECONDS } =
  config.constants;
const SETTLE_MS = config.constants.ORDER_SETTLE_SECONDS * 1_000;
const NOW = new Date('2026-11-20T12:00:00Z');
const NEXT = new Date('2026-11-20T12:05:00Z');
const inMs = (ms: number): Date => new Date(NOW.getTime() + ms);
const time: DatabaseTime = { now: () => NOW, requireSteadyHost: () => undefined };
const notFound = new ExchangeError('refused', 'kraken', 'no such order', { code: 'TRADING_ORDER_NOT_FOUND' });
const shown = { exchangeId: 'X', clientOrderId: 'ours', status: 'open' } as ExchangeOrder;

interface World {
  order?: Partial<Order>;
  /** What a search by our client order id finds. */
  found?: Partial<ExchangeOrder> | Error | null;
  /** What a read by the id of the exchange finds. */
  read?: Partial<ExchangeOrder> | Error;
  fate?: 'may_be_late' | 'not_executed' | 'ended';
  /** Number of searches or reads without the order, with this one. */
  searches?: number;
  version?: string;
  signedForMs?: number | null;
}

/** Reads one order. @returns what was recorded and searched */
async function read(world: World): Promise<unknown[]> {
  const {
    found = null,
    read: own = notFound,
    fate = 'may_be_late',
    searches = 1,
    version = 'v',
    signedForMs = null,
  } = world;
  const order = {
    id: 'order',
    state: 'open',
    exchange: 'kraken',
    clientOrderId: 'ours',
    exchangeIds: ['X'],
    request: {},
    createdAt: inMs(-3_600_000),
    leaseUntil: inMs(-3_500_000),
    submissionDeadline: null,
    credentialVersion: 'v',
    readAt: inMs(-60_000),
    rawStatus: 'open',
    executedVolume: Amount.zero,
    ...world.order,
  } as Order;
  const recorded: unknown[] = [];
  const note = (...what: unknown[]): Promise<never> => {
    recorded.push(what);
    return Promise.resolve(order as never);
  };
  const answer = (result: Partial<ExchangeOrder> | Error | null): Promise<never> =>
    result instanceof Error ? Promise.reject(result) : Promise.resolve((result && { ...shown, ...result }) as never);
  const trading: Partial<TradingCapability> = {
    signedForMs,
    find: ({ isProofNeeded }) => {
      if (order.state !== 'open') recorded.push(['searched', isProofNeeded]);
      return answer(found);
    },
    read: () => answer(own),
    judgeMissing: ({ seenAt }) => {
      recorded.push(['judged since', seenAt]);
      return Promise.resolve(fate);
    },
  };
  const store: Pick<OrderStore, 'find' | 'reschedule'> = {
    find: () => Promise.resolve(order),
    reschedule: (_order, at) => note('next check', at),
  };
  const transitions: Partial<OrderTransitions> = {
    unknown: () => note('unknown'),
    read: (_order, { exchangeId }) => note('read', exchangeId),
    absent: (_order, _askedAt, gapMs) => {
      recorded.push(['absent', gapMs]);
      return Promise.resolve(searches);
    },
    notPlaced: (_order, at) => note('not placed', at),
    endedUnexecuted: () => note('canceled'),
    notShown: (_order, rawStatus, { nextCheckAt }) => note(rawStatus, nextCheckAt),
  };
  const nextCheck: Pick<NextCheck, 'after'> = { after: () => Promise.resolve(NEXT) };
  const metrics: Pick<OrderMetrics, 'ended'> = { ended: () => undefined };
  const parts = [store as OrderStore, transitions as OrderTransitions, metrics as OrderMetrics] as const;
  const reading = new ReadOrder(...parts, nextCheck as NextCheck, config, capturedLog().logger);
  const session: Partial<ExchangeSession> = { exchange: 'kraken', trading: trading as TradingCapability };
  await reading.execute(session as ExchangeSession, version, order, time);
  return recorded;
}

const SENT = sentAfter({ createdAt: inMs(-3_600_000) }, config);
const LATE = ['judged since', inMs(-60_000)];
const enough = ORDER_CLEAN_SEARCHES;
const unlisted = ['not_listed', inMs(ORDER_UNLISTED_CHECK_SECONDS * 1_000)];
const counted = ['absent', SETTLE_MS];

describe('the read of an open order', () => {
  it.each<[string, World, unknown[]]>([
    ['records what the exchange shows', { read: {} }, [['read', 'X']]],
    ['takes a report without a client order id', { read: { clientOrderId: null } }, [['read', 'X']]],
    [
      'looks for our client order id when the id is of another order',
      { read: { clientOrderId: 'other' }, found: { exchangeId: 'Y' } },
      [['read', 'Y']],
    ],
    ['looks for our client order id when the id is unknown', { found: { exchangeId: 'Y' } }, [['read', 'Y']]],
    [
      'waits when only another order has its id',
      { read: { clientOrderId: 'other' }, fate: 'not_executed', searches: enough },
      [['next check', NEXT]],
    ],
    ['waits while the lists may be late', { searches: enough }, [LATE, ['next check', NEXT]]],
    ['counts the first read without it', { fate: 'not_executed' }, [LATE, counted, ['next check', NEXT]]],
    ['cancels it when nothing was executed', { fate: 'not_executed', searches: enough }, [LATE, counted, ['canceled']]],
    [
      'leaves its end open when it may have been executed',
      { fate: 'ended', searches: enough },
      [LATE, counted, unlisted],
    ],
    [
      'leaves its end open when a part was executed before',
      { fate: 'not_executed', searches: enough, order: { executedVolume: Amount.of('0.1') } },
      [LATE, counted, unlisted],
    ],
    [
      'cancels an order that was shown and is too old for searches',
      { fate: 'not_executed', searches: enough, found: new OrderTooOld('kraken') },
      [LATE, counted, ['canceled']],
    ],
    [
      'leaves the end open of an order that was never shown and is too old for searches',
      { fate: 'not_executed', searches: enough, found: new OrderTooOld('kraken'), order: { readAt: null } },
      [['judged since', SENT], counted, unlisted],
    ],
    [
      'leaves the end open of an order that was last hidden and is too old for searches',
      { fate: 'not_executed', searches: enough, found: new OrderTooOld('kraken'), order: { rawStatus: 'not_visible' } },
      [['judged since', SENT], counted, unlisted],
    ],
    [
      'cancels an order that was never shown, and is not too old',
      { fate: 'not_executed', searches: enough, order: { readAt: null } },
      [['judged since', SENT], counted, ['canceled']],
    ],
    [
      'judges an unlisted order by all executions since it was sent',
      { fate: 'ended', searches: enough, order: { rawStatus: 'not_listed' } },
      [['judged since', SENT], counted, unlisted],
    ],
    [
      'proves nothing with other credentials',
      { version: 'other', fate: 'not_executed', searches: enough },
      [['not_visible', NEXT]],
    ],
  ])('%s', async (_rule, world, recorded) => {
    expect(await read(world)).toEqual(recorded);
  });

  it.each([
    new ExchangeError('unavailable', 'kraken', 's', { code: 'TRADING_ORDER_NOT_FOUND' }),
    new ExchangeError('refused', 'kraken', 's', { code: 'TRADING_PROVIDER_ERROR' }),
    new TypeError('ours'),
  ])('records nothing after an error that is no answer', async (error) => {
    await expect(read({ read: error })).rejects.toBe(error);
    await expect(read({ found: error })).rejects.toBe(error);
  });
});

describe('the read of an order with an unknown outcome', () => {
  const unknown = (order: Partial<Order> = {}): Pick<World, 'order'> => ({ order: { state: 'unknown', ...order } });
  const deadline = (ms: number): Pick<World, 'order'> => unknown({ submissionDeadline: inMs(ms - SETTLE_MS) });
  const [proof, noProof] = [
    ['searched', true],
    ['searched', false],
  ];
  const comparedAt = nextComparison({ createdAt: inMs(-3_600_000) }, NOW, config);

  it.each<[string, World, unknown[]]>([
    ['records it when it is found', { ...unknown(), found: {} }, [noProof, ['read', 'X']]],
    [
      'waits when the exchange may accept the request at any time',
      { ...unknown(), searches: enough },
      [noProof, ['next check', NEXT]],
    ],
    ['waits for the end of its deadline', { ...deadline(1), searches: enough }, [noProof, ['next check', inMs(1)]]],
    [
      'waits no longer than until the next check',
      { ...deadline(86_400_000), searches: enough },
      [noProof, ['next check', NEXT]],
    ],
    [
      'counts a search after its deadline',
      deadline(0),
      [proof, ['absent', ORDER_CHECK_SECONDS * 1_000], ['next check', inMs(ORDER_CHECK_SECONDS * 1_000)]],
    ],
    [
      'settles it after enough searches',
      { ...deadline(0), searches: enough },
      [proof, ['absent', ORDER_CHECK_SECONDS * 1_000], ['not placed', comparedAt]],
    ],
    [
      'waits longer between two searches when only the signature has ended',
      { ...unknown(), signedForMs: 60_000 },
      [proof, ['absent', ORDER_ABSENCE_SECONDS * 1_000], ['next check', inMs(ORDER_ABSENCE_SECONDS * 1_000)]],
    ],
    [
      'proves nothing when it is too old',
      { ...deadline(0), found: new OrderTooOld('kraken'), searches: enough },
      [proof, ['next check', NEXT]],
    ],
    [
      'proves nothing with other credentials',
      { ...deadline(0), version: 'other', searches: enough },
      [noProof, ['next check', NEXT]],
    ],
  ])('%s', async (_rule, world, recorded) => {
    expect(await read(world)).toEqual(recorded);
  });

  it('begins when the lease of its sending has ended', async () => {
    const placing = (leaseUntil: Date): World => ({ order: { state: 'placing', leaseUntil } });
    expect(await read(placing(inMs(1)))).toEqual([['next check', inMs(1)]]);
    expect((await read(placing(NOW)))[0]).toEqual(['unknown']);
  });
});

describe('the comparison of an order that was reported as none', () => {
  it.each(['refused', 'not_placed'] as const)('in the state %s corrects it, or is repeated later', async (state) => {
    const order = { state };
    expect(await read({ order, found: {} })).toEqual([
      ['searched', false],
      ['read', 'X'],
    ]);
    const later = nextComparison({ createdAt: inMs(-3_600_000) }, NOW, config);
    expect(await read({ order })).toEqual([
      ['searched', false],
      ['next check', later],
    ]);
  });

  it('is not made for a closed order', async () => {
    expect(await read({ order: { state: 'closed' } })).toEqual([]);
  });
});
