import type { ExchangeOrder, OrderOutcome } from '#exchange';
import type { Amount } from '#money';
import { type Clock, CLOCK_ERROR_MS } from '#platform/clock';
import type { Config } from '#platform/config';
import { isSameToReaders } from '../../orders/order.dto.js';
import { countsAsNone, isFinalStatus, isInDoubt, type OrderState } from '../../orders/order-state.js';
import { isUnlisted } from '../../orders/order-review.js';
import { nextComparison } from '../../orders/order-times.js';
import type { OrderDecided, OrderEnded, OrderTransitions } from '../../orders/order-transitions.js';
import type { Order } from '../../orders/order.entity.js';
import type { Refusal } from '../../orders/order.errors.js';
import type { HoldPort, PortOf } from './memory-order-store.js';
import type { MemoryOrders } from './memory-orders.js';

type Changes = Partial<Order>;
type Json = Record<string, unknown>;

const IN_DOUBT: OrderState[] = ['placing', 'unknown'];
const NONE: OrderState[] = ['refused', 'not_placed'];

/** `OrderTransitions` in memory. Each method is one transaction. Events and audit entries are not stored. */
export class MemoryOrderTransitions implements PortOf<OrderTransitions> {
  constructor(
    private readonly table: MemoryOrders,
    private readonly holds: HoldPort,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  async accepted(
    order: Order,
    { exchangeIds, description, answer }: Extract<OrderOutcome, { kind: 'accepted' }>,
    nextCheckAt: Date,
  ): Promise<Order | null> {
    const changes: Changes = {
      state: 'open',
      status: 'open',
      rawStatus: 'accepted',
      exchangeIds,
      nextCheckAt,
      sentAt: order.sentAt,
      orderText: description ?? order.orderText,
      placeAnswer: kept(answer),
    };
    return this.move(order, IN_DOUBT, changes) ?? this.correct(order, changes);
  }

  async refused(
    order: Order,
    refusal: Refusal,
    { answer, nextCheckAt }: { answer: Json; nextCheckAt: Date | null },
  ): Promise<Order | null> {
    const sent = { placeAnswer: kept(answer), sentAt: order.sentAt };
    return this.move(order, IN_DOUBT, { ...noOrder('refused', nextCheckAt), ...errorOf(refusal), ...sent });
  }

  async notSent(order: Order, refusal: Refusal): Promise<Order | null> {
    return this.move(order, IN_DOUBT, { ...noOrder('not_placed', null), ...errorOf(refusal) });
  }

  async unknown(order: Order, answer: Json, now: Date): Promise<Order | null> {
    const nextCheckAt = order.nextCheckAt === null ? null : now;
    const changes: Changes = { state: 'unknown', placeAnswer: kept(answer), sentAt: order.sentAt, nextCheckAt };
    return this.move(order, ['placing'], changes);
  }

  async notPlaced(order: Order, nextCheckAt: Date | null): Promise<Order | null> {
    const { ORDER_CLEAN_SEARCHES } = this.config.constants;
    const hasProof = ({ cleanSearches }: Order): boolean => cleanSearches >= ORDER_CLEAN_SEARCHES;
    return this.move(order, ['unknown'], noOrder('not_placed', nextCheckAt), hasProof);
  }

  async absent({ id, state }: Order, askedAt: Date, gapMs: number): Promise<number> {
    const row = this.table.get(id);
    if (row?.state !== state) return 0;
    const { lastCleanSearchAt: last, cleanSearches } = row;
    const isTooSoon = last !== null && last.getTime() > askedAt.getTime() - gapMs;
    // A listing that does not count is written, too, so that the rules of the table refuse it for a closed order.
    const counted = isTooSoon ? {} : { cleanSearches: cleanSearches + 1, lastCleanSearchAt: askedAt };
    return this.table.update(id, counted).cleanSearches;
  }

  async read(order: Order, seen: ExchangeOrder, askedAt: Date, nextCheckAt: Date): Promise<Order> {
    return this.report(order, changesOf(order, seen, askedAt, nextCheckAt), askedAt, seen.executedVolume);
  }

  async notShown(
    order: Order,
    rawStatus: 'not_visible' | 'not_listed',
    { askedAt, nextCheckAt }: { askedAt: Date; nextCheckAt: Date },
  ): Promise<Order> {
    const changes: Changes = { status: 'unknown', rawStatus, readAt: askedAt, nextCheckAt };
    return this.report(order, changes, askedAt, order.executedVolume);
  }

  async endedUnexecuted(order: Order): Promise<Order | null> {
    const { ORDER_CLEAN_SEARCHES } = this.config.constants;
    return this.move(
      order,
      ['open'],
      { state: 'closed', status: 'canceled', rawStatus: 'not_listed', nextCheckAt: null },
      (row) => row.executedVolume.isZero() && row.cleanSearches >= ORDER_CLEAN_SEARCHES,
    );
  }

  async decided(order: Order, { exchangeId, now }: OrderDecided): Promise<Order | null> {
    const changes: Changes =
      exchangeId === null
        ? noOrder('not_placed', nextComparison(order, now, this.config))
        : { state: 'open', status: 'open', rawStatus: 'accepted', exchangeIds: [exchangeId], nextCheckAt: now };
    return this.move(order, ['unknown'], changes);
  }

  async decidedEnd(order: Order, { status, executedVolume, cost, averagePrice }: OrderEnded): Promise<Order | null> {
    const end: Changes = { status, executedVolume, cost, averagePrice };
    return this.move(
      order,
      ['open'],
      { ...end, state: 'closed', rawStatus: 'settled_by_operator', nextCheckAt: null },
      isUnlisted,
    );
  }

  private report(order: Order, changes: Changes, askedAt: Date, executed: Amount): Order {
    const tooFarAhead = askedAt.getTime() + CLOCK_ERROR_MS;
    const isNews = ({ readAt, executedVolume }: Order): boolean =>
      changes.state === 'closed' ||
      (!executed.lessThan(executedVolume) && (readAt === null || readAt <= askedAt || readAt.getTime() > tooFarAhead));
    const known = this.confirm(order, changes, isNews) ?? this.move(order, [...IN_DOUBT, 'open'], changes, isNews);
    if (known !== null) return known;
    const current = this.table.get(order.id) ?? order;
    if (countsAsNone(current.state)) return this.correct(current, changes) ?? current;
    const { nextCheckAt } = changes;
    if (current.state === 'closed' || nextCheckAt === null || nextCheckAt === undefined) return current;
    this.table.update(order.id, { nextCheckAt });
    return current;
  }

  /** Stores only the times and the count of reads if callers would see no difference. @returns null when they would */
  private confirm(order: Order, changes: Changes, isAllowed: (row: Order) => boolean): Order | null {
    const after = { ...order, ...changes };
    const { id, state, updatedAt } = order;
    if (state !== 'open' || after.state !== state || !isSameToReaders(order, after)) return null;
    const row = this.table.get(id);
    if (row?.state !== state || row.updatedAt.getTime() !== updatedAt.getTime() || !isAllowed(row)) return null;
    const { readAt, nextCheckAt, cleanSearches, lastCleanSearchAt } = after;
    const seen = { readAt, nextCheckAt, cleanSearches, lastCleanSearchAt };
    this.table.update(id, seen);
    return { ...order, ...seen };
  }

  /** Corrects an order that was recorded as refused or never placed, and that the exchange has. */
  private correct(order: Order, changes: Changes): Order | null {
    if (this.isMadeByRepeat(order)) return null;
    const nothing = { errorCode: null, errorMessage: null, errorResult: null };
    return this.move(order, NONE, { ...changes, ...nothing, contradictedAt: this.clock.now() });
  }

  private isMadeByRepeat({ walletId, clientOrderId }: Order): boolean {
    const made = this.table.filter((row) => row.walletId === walletId && row.clientOrderId === clientOrderId);
    return made.some(({ state }) => !countsAsNone(state));
  }

  private move(
    order: Order,
    from: readonly OrderState[],
    changes: Changes,
    isAllowed: (row: Order) => boolean = () => true,
  ): Order | null {
    const before = this.table.get(order.id);
    if (before === null) throw new Error(`the table has no order ${order.id}`);
    if (!from.includes(before.state) || !isAllowed(before)) return null;
    const after = this.table.update(order.id, { ...changes, updatedAt: this.clock.now() });
    if (isInDoubt(before.state) && !isInDoubt(after.state)) this.holds.release(after.walletId, after.id);
    return after;
  }
}

function changesOf(order: Order, seen: ExchangeOrder, readAt: Date, nextCheckAt: Date): Changes {
  const { status, rawStatus, executedVolume, cost, averagePrice, openedAt, closedAt } = seen;
  const fees = seen.fees?.map(({ asset, amount }) => ({ asset: asset ?? order.quoteAsset, amount: amount.toString() }));
  const ends = isFinalStatus(status);
  return {
    state: ends ? 'closed' : 'open',
    status,
    rawStatus,
    readAt,
    nextCheckAt: ends ? null : nextCheckAt,
    exchangeIds: order.exchangeIds.length === 0 ? [seen.exchangeId] : order.exchangeIds,
    executedVolume,
    cost,
    averagePrice,
    fees: fees ?? null,
    openedAt,
    closedAt,
    description: seen.description,
    rawAnswer: kept(seen.raw),
    cleanSearches: 0,
    lastCleanSearchAt: null,
  };
}

function noOrder(state: 'refused' | 'not_placed', nextCheckAt: Date | null): Changes {
  return { state, status: 'canceled', rawStatus: state, nextCheckAt };
}

function errorOf({ code, message, result }: Refusal): Changes {
  return { errorCode: code, errorMessage: message, errorResult: result === null ? null : kept(result) };
}

function kept(answer: Json): Json {
  return JSON.parse(JSON.stringify(answer)) as Json;
}
