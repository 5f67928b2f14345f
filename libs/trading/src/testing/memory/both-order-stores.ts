import type { ExchangeOrder } from '#exchange';
import { Amount } from '#money';
import type { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { DatabaseClock, sqlRefusalOf, type DatabaseTime } from '#platform/database';
import { DomainError } from '#platform/errors';
import type { Wallet } from '#wallet';
import { credentialVersionOf } from '#wallet/testing';
import { OrderStore } from '../../orders/order-store.js';
import { OrderTransitions } from '../../orders/order-transitions.js';
import type { Order } from '../../orders/order.entity.js';
import type { Refusal } from '../../orders/order.errors.js';
import type { OrderHarness } from '../order-harness.js';
import { MemoryOrders, OrderRuleBroken } from './memory-orders.js';
import { memoryOrderPorts, type OrderPorts } from './order-use-cases.js';

/** One call: its operation, and numbers that choose its arguments. */
export interface OrderCall {
  op: keyof typeof orderOperations;
  /** Index of the order. */
  which: number;
  /** Number that chooses all other arguments. */
  how: number;
}

/** PostgreSQL or the memory store, and the orders that were read from it earlier and may be outdated. */
interface Side {
  ports: Pick<OrderPorts, 'store' | 'transitions'>;
  held: Order[];
}

interface Moment {
  now: Date;
  time: DatabaseTime;
  which: number;
  how: number;
  wallet: Wallet;
  version: string;
}

const REFUSALS: readonly Refusal[] = [
  { code: 'TRADING_PROVIDER_ERROR', message: 'refused', result: { reason: 'x' } },
  { code: 'GENERIC_RATE_LIMIT_EXCEEDED', message: 'wait', result: null },
];
const SECOND_MS = 1_000;

const inA = ({ now }: Moment, seconds: number): Date => new Date(now.getTime() + seconds * SECOND_MS);
const keyOf = (how: number): string | null => (how % 3 === 0 ? null : `key ${how % 3}`);
const askedOf = (how: number): string => `asked ${how % 2}`;

function refusalOf(how: number): Refusal {
  const refusal = REFUSALS[how % REFUSALS.length];
  if (refusal === undefined) throw new Error('no refusals');
  return refusal;
}

function reportOf({ how, now }: Moment): ExchangeOrder {
  const executed = how % 4;
  const status = how % 7 === 0 ? 'filled' : how % 5 === 0 ? 'canceled' : 'open';
  return {
    exchangeId: `X${how % 4}`,
    clientOrderId: null,
    status,
    rawStatus: `raw ${status}`,
    volume: Amount.of('0.50'),
    limitPrice: Amount.of('20000'),
    executedVolume: Amount.of(`0.${executed}0`),
    cost: Amount.of(`${executed}000`),
    averagePrice: Amount.of(executed === 0 ? '0' : '20000'),
    fees: how % 3 === 0 ? null : [{ asset: how % 2 === 0 ? 'BNB' : null, amount: Amount.of('0.10') }],
    openedAt: now,
    closedAt: status === 'open' ? null : now,
    description: { pair: 'XBTUSD', side: 'sell', type: 'limit' },
    raw: { status },
  };
}

type Operation = (side: Side, moment: Moment) => Promise<unknown>;
type OnHeld = (side: Side, held: Order, moment: Moment) => Promise<Order | string | number | null | void>;

/**
 * Runs an operation on an order that was read before, and then knows the order as it was returned, or as it was before.
 * Does nothing when none was read.
 */
const onHeld =
  (work: OnHeld): Operation =>
  async (side, moment) => {
    const index = moment.which % Math.max(1, side.held.length);
    const held = side.held[index];
    if (held === undefined) return 'nothing held';
    const result = await work(side, held, moment);
    if (result !== null && typeof result === 'object' && moment.how % 4 !== 0) side.held[index] = result;
    return result;
  };

async function begin(side: Side, moment: Moment): Promise<unknown> {
  const { how, now, time, wallet, version, which } = moment;
  const result = await side.ports.store.begin(
    wallet,
    {
      connectorVersion: 'tried 1',
      credentialVersion: version,
      routeId: 'kraken:spot:BTC-USD',
      baseAsset: 'BTC',
      quoteAsset: 'USD',
      side: 'sell',
      type: 'limit',
      volume: Amount.of(`0.${1 + (how % 5)}0`),
      price: Amount.of('20000'),
      idempotencyKey: keyOf(how),
      asked: askedOf(how),
      clientOrderId: how % 6 === 0 ? 'client 0' : `client ${which} ${how}`,
      request: { volume: '1' },
      submissionDeadline: how % 2 === 0 ? null : inA(moment, 30),
      description: { pair: 'XBTUSD', side: 'sell', type: 'limit' },
      orderText: 'sell',
      createdAt: now,
    },
    time,
  );
  side.held.push({ ...result.order, sentAt: how % 4 === 0 ? null : now });
  return result;
}

const alongside = (): Promise<void> => Promise.resolve();

/** Every call that the tests make on both stores, by its name. */
export const orderOperations = {
  begin,
  sendAgain: onHeld(({ ports }, order, moment) =>
    ports.store.sendAgain(order, { request: { volume: '2' }, submissionDeadline: inA(moment, 30) }, moment.now),
  ),
  accepted: onHeld(({ ports }, order, moment) =>
    ports.transitions.accepted(
      order,
      {
        kind: 'accepted',
        exchangeIds: moment.how % 5 === 0 ? [] : [`X${moment.how % 4}`],
        description: moment.how % 2 === 0 ? null : 'sell all',
        answer: { id: 'X' },
      },
      inA(moment, 5),
    ),
  ),
  refused: onHeld(({ ports }, order, moment) =>
    ports.transitions.refused(order, refusalOf(moment.how), {
      answer: { error: 'x' },
      nextCheckAt: moment.how % 3 === 0 ? null : inA(moment, 60),
    }),
  ),
  notSent: onHeld(({ ports }, order, { how }) => ports.transitions.notSent(order, refusalOf(how))),
  unknown: onHeld(({ ports }, order, { now }) => ports.transitions.unknown(order, { reason: 'reset' }, now)),
  notPlaced: onHeld(({ ports }, order, moment) =>
    ports.transitions.notPlaced(order, moment.how % 2 === 0 ? null : inA(moment, 60)),
  ),
  absent: onHeld(({ ports }, order, { how, now }) => ports.transitions.absent(order, now, (how % 3) * SECOND_MS)),
  read: onHeld(({ ports }, order, moment) =>
    ports.transitions.read(order, reportOf(moment), inA(moment, -(moment.how % 3)), inA(moment, 5)),
  ),
  notShown: onHeld(({ ports }, order, moment) =>
    ports.transitions.notShown(order, moment.how % 2 === 0 ? 'not_visible' : 'not_listed', {
      askedAt: moment.now,
      nextCheckAt: inA(moment, 5),
    }),
  ),
  endedUnexecuted: onHeld(({ ports }, order) => ports.transitions.endedUnexecuted(order)),
  decided: onHeld(({ ports }, order, { how, now }) =>
    ports.transitions.decided(order, { exchangeId: how % 2 === 0 ? null : `X${how % 4}`, now, alongside }),
  ),
  decidedEnd: onHeld(({ ports }, order, { how }) =>
    ports.transitions.decidedEnd(order, {
      status: how % 2 === 0 ? 'filled' : 'canceled',
      executedVolume: Amount.of('0.30'),
      cost: Amount.of('6000'),
      averagePrice: Amount.of('20000'),
      alongside,
    }),
  ),
  reschedule: onHeld(({ ports }, order, moment) =>
    ports.store.reschedule(
      order,
      moment.how % 5 === 0 ? null : inA(moment, moment.how % 4),
      moment.how % 2 === 0 ? null : moment.now,
    ),
  ),
  takeDue: async ({ ports }, { now }) => (await ports.store.takeDue(now, 100)).sort(),
  countLike: onHeld(({ ports }, order) => ports.store.countLike(order)),
  find: onHeld(({ ports }, { id }) => ports.store.find(id)),
  findOf: onHeld(({ ports }, { id }, { how, wallet }) =>
    ports.store.findOf(how % 3 === 0 ? { ...wallet, externalId: 'another' } : wallet, id),
  ),
  listRefusedLike: onHeld(async ({ ports }, order, { wallet }) => {
    const listed = await ports.store.listRefusedLike(wallet, order);
    return listed
      .map(({ id }) => id)
      .sort()
      .join();
  }),
  findAnswered: ({ ports }, { how, wallet, now }) =>
    ports.store.findAnswered(wallet, { idempotencyKey: keyOf(how), asked: askedOf(how) }, now),
  nameOf: ({ ports }, { how, wallet, now }) => ports.store.nameOf(wallet, keyOf(how), now),
  restoredSince: ({ ports }, { now }) => ports.store.restoredSince(now, now),
} satisfies Record<string, Operation>;

/** Runs the same calls on PostgreSQL and on the memory store, with the same wallet. */
export class BothOrderStores {
  private constructor(
    private readonly harness: OrderHarness,
    private readonly version: string,
    private readonly real: Side,
    private readonly memory: Side,
    private readonly table: MemoryOrders,
    private readonly holders: ReadonlySet<string>,
    private readonly ids: { next: string },
  ) {}

  static async open(harness: OrderHarness): Promise<BothOrderStores> {
    // The memory store does not contain the orders of earlier runs, which would be due.
    await harness.db.query(`update orders set next_check_at = null where next_check_at is not null`);
    await harness.newWallet();
    const version = await credentialVersionOf(harness.db, harness.wallet.id);
    const ids = { next: '' };
    // The memory store gives a new order the id that PostgreSQL has just stored.
    const clock = Object.assign(Object.create(harness.clock) as Clock, { newId: () => ids.next });
    const table = new MemoryOrders();
    const holders = new Set<string>();
    const holds = {
      hold: (_wallet: string, holder: string) => void holders.add(holder),
      release: (_wallet: string, holder: string) => void holders.delete(holder),
    };
    const ports = memoryOrderPorts(table, { holds, clock, config: harness.get(Config) });
    const real = { held: [], ports: { store: harness.get(OrderStore), transitions: harness.get(OrderTransitions) } };
    return new BothOrderStores(harness, version, real, { held: [], ports }, table, holders, ids);
  }

  /** Runs one call on PostgreSQL and in memory. @returns both results as plain data. */
  async call({ op, which, how }: OrderCall): Promise<{ real: unknown; memory: unknown }> {
    const { harness, version } = this;
    const time = await harness.get(DatabaseClock).read();
    const moment = { now: harness.clock.now(), time, which, how, version, wallet: harness.wallet };
    const work: Operation = orderOperations[op];
    const held = this.real.held.length;
    const real = await answerOf(() => work(this.real, moment));
    const stored = this.real.held.length > held ? this.real.held.at(-1)?.id : undefined;
    this.ids.next = stored ?? harness.clock.newId();
    const memory = await answerOf(() => work(this.memory, moment));
    return { real, memory };
  }

  /** Reads all orders and holds of the wallet in PostgreSQL and in memory as plain data. */
  async rows(): Promise<{ real: unknown; memory: unknown }> {
    const { db, wallet } = this.harness;
    const holds = await db.query<{ holder: string }>(
      `select holder from credential_holds where wallet_id = $1 order by holder`,
      [wallet.id],
    );
    const rows = this.table.all().sort((a, b) => (a.id < b.id ? -1 : 1));
    return {
      real: plain({ orders: await this.harness.orders(), holders: holds.map(({ holder }) => holder) }),
      memory: plain({ orders: rows, holders: [...this.holders].sort() }),
    };
  }
}

async function answerOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return plain((await work()) ?? null);
  } catch (error) {
    return { error: nameOf(error) };
  }
}

function nameOf(error: unknown): unknown {
  if (error instanceof DomainError) return plain([error.name, error.code, error.details]);
  if (error instanceof OrderRuleBroken) return [error.code, error.code === '23001' ? null : error.constraint];
  const { code, constraint = null } = sqlRefusalOf(error);
  if (code === undefined) throw error;
  return [code, constraint];
}

/** Converts rows to JSON and back, so that the rows of PostgreSQL can be compared with those in memory. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
