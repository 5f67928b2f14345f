import { Inject, Injectable } from '@nestjs/common';
import { In, Not, type EntityManager } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import type { ExchangeOrder, OrderOutcome } from '#exchange';
import type { Amount } from '#money';
import { Clock, CLOCK_ERROR_MS } from '#platform/clock';
import { Config } from '#platform/config';
import { Database, LOCK_TIMEOUT, sqlRefusalOf, toStorable, toStorableJson } from '#platform/database';
import { Events } from '#platform/events';
import { LOGGER, type Logger } from '#platform/logging';
import { Wallets } from '#wallet';
import { isSameToReaders, toOrderEvent } from './order.dto.js';
import { OrderMetrics } from './order.metrics.js';
import type { Refusal } from './order.errors.js';
import { IS_UNLISTED } from './order-review.js';
import { nextComparison } from './order-times.js';
import { Order } from './order.entity.js';
import { countsAsNone, isFinalStatus, isInDoubt, type OrderState } from './order-state.js';

type Changes = Partial<Order>;
type Json = Record<string, unknown>;

interface Change {
  before: Order;
  after: Order;
}

/** An operator's decision about an order. */
export interface OrderDecided {
  /** The exchange's id of the order; null = the order was never placed. */
  exchangeId: string | null;
  now: Date;
  /** Writes the audit entry of the decision, in its transaction. */
  alongside: (tx: EntityManager) => Promise<void>;
}

/** How an open order ended at its exchange, by the decision of an operator. */
export interface OrderEnded
  extends Pick<Order, 'executedVolume' | 'cost' | 'averagePrice'>, Pick<OrderDecided, 'alongside'> {
  status: 'filled' | 'canceled';
}

interface More {
  guard?: Guard;
  alongside?: OrderDecided['alongside'];
}

/** Further conditions that the row must meet for a transition. */
interface Guard {
  where: string;
  parameters: Record<string, unknown>;
}

const IN_DOUBT: OrderState[] = ['placing', 'unknown'];
const NONE: OrderState[] = ['refused', 'not_placed'];

/**
 * Writes the state changes of orders. Each change is one transaction, and its statement names the allowed previous
 * states. A method that records an outcome returns null, and changes nothing, when the order has another state. Visible
 * changes are published as `order.updated` in the same transaction.
 */
@Injectable()
export class OrderTransitions {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly wallets: Wallets,
    private readonly events: Events,
    private readonly metrics: OrderMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Records that the exchange has accepted the order, also when a search has already proven the contrary. */
  async accepted(
    order: Order,
    outcome: Extract<OrderOutcome, { kind: 'accepted' }>,
    nextCheckAt: Date,
  ): Promise<Order | null> {
    const { exchangeIds, description } = outcome;
    const changes: Changes = {
      state: 'open',
      status: 'open',
      rawStatus: 'accepted',
      exchangeIds: exchangeIds.map(washed),
      orderText: description === null ? order.orderText : washed(description),
      placeAnswer: kept(outcome.answer),
      sentAt: order.sentAt,
      nextCheckAt,
    };
    return (await this.move(order, IN_DOUBT, changes)) ?? this.correct(order, changes);
  }

  /**
   * Records a confirmed refusal: the exchange has no order.
   * @param nextCheckAt when the exchange is searched for the order all the same; null = never
   */
  refused(
    order: Order,
    refusal: Refusal,
    { answer, nextCheckAt }: { answer: Json; nextCheckAt: Date | null },
  ): Promise<Order | null> {
    return this.move(order, IN_DOUBT, {
      ...noOrder('refused', nextCheckAt),
      ...errorOf(refusal),
      placeAnswer: kept(answer),
      sentAt: order.sentAt,
    });
  }

  /** Records that the order was certainly not sent. */
  notSent(order: Order, refusal: Refusal): Promise<Order | null> {
    return this.move(order, IN_DOUBT, { ...noOrder('not_placed', null), ...errorOf(refusal) });
  }

  /**
   * Records the outcome as unknown, because no definite response came or the lease has ended. From now on, only the
   * exchange's records can settle the order.
   */
  unknown(order: Order, answer: Json, now: Date): Promise<Order | null> {
    return this.move(order, ['placing'], {
      state: 'unknown',
      placeAnswer: kept(answer),
      sentAt: order.sentAt,
      // null = the worker has stopped checking this order. It must not begin again.
      nextCheckAt: order.nextCheckAt === null ? null : now,
    });
  }

  /**
   * Records that the order was never placed, when enough searches did not find it.
   * @param nextCheckAt as for `refused`
   */
  notPlaced(order: Order, nextCheckAt: Date | null): Promise<Order | null> {
    const searches = this.config.constants.ORDER_CLEAN_SEARCHES;
    return this.move(order, ['unknown'], noOrder('not_placed', nextCheckAt), {
      guard: { where: 'clean_searches >= :searches', parameters: { searches } },
    });
  }

  /**
   * Counts a listing or a read that was requested at `askedAt` and does not show the order, whose outcome is unknown or
   * which is open. One less than `gapMs` after a counted one does not count.
   * @returns the number of counted listings or reads
   */
  async absent(order: Order, askedAt: Date, gapMs: number): Promise<number> {
    const [row] = await this.db.query<{ searches: number }>(
      `update orders set
         clean_searches = clean_searches + case when coalesce(last_clean_search_at <= $3, true) then 1 else 0 end,
         last_clean_search_at = case when coalesce(last_clean_search_at <= $3, true) then $2 else last_clean_search_at end
       where id = $1 and state = $4
       returning clean_searches as searches`,
      [order.id, askedAt, new Date(askedAt.getTime() - gapMs), order.state],
    );
    return row?.searches ?? 0;
  }

  /**
   * Applies the exchange's report, requested at `askedAt`. A report that is older than the stored one, or shows less
   * executed volume, is ignored unless it ends the order. A closed order never changes.
   * @returns the stored order; if another transaction has locked the row, the reported order, which is not stored
   */
  read(order: Order, seen: ExchangeOrder, askedAt: Date, nextCheckAt: Date): Promise<Order> {
    return this.report(order, changesOf(order, seen, askedAt, nextCheckAt), askedAt, seen.executedVolume);
  }

  /**
   * Records that the exchange does not show the open order, so its status is unknown. All other values of the last
   * report stay.
   * @param rawStatus `not_visible`: the present credentials of the wallet cannot read it; `not_listed`: it has ended
   * @param askedAt when the exchange was asked
   * @returns like `read`
   */
  notShown(
    order: Order,
    rawStatus: 'not_visible' | 'not_listed',
    { askedAt, nextCheckAt }: { askedAt: Date; nextCheckAt: Date },
  ): Promise<Order> {
    const changes: Changes = { status: 'unknown', rawStatus, readAt: askedAt, nextCheckAt };
    return this.report(order, changes, askedAt, order.executedVolume);
  }

  /** Records that the open order ended without an execution, when enough reads did not find it. */
  endedUnexecuted(order: Order): Promise<Order | null> {
    const searches = this.config.constants.ORDER_CLEAN_SEARCHES;
    return this.move(
      order,
      ['open'],
      { state: 'closed', status: 'canceled', rawStatus: 'not_listed', nextCheckAt: null },
      { guard: { where: 'executed_volume = 0 and clean_searches >= :searches', parameters: { searches } } },
    );
  }

  /**
   * Records an operator's decision about an order with an unknown outcome.
   * @returns null when the order has another state by now
   */
  decided(order: Order, { exchangeId, now, alongside }: OrderDecided): Promise<Order | null> {
    const changes: Changes =
      exchangeId === null
        ? noOrder('not_placed', nextComparison(order, now, this.config))
        : { state: 'open', status: 'open', rawStatus: 'accepted', exchangeIds: [washed(exchangeId)], nextCheckAt: now };
    return this.move(order, ['unknown'], changes, { alongside });
  }

  /**
   * Records an operator's decision how an open order ended that its exchange no longer lists.
   * @returns null when the exchange shows the order again, or it has another state by now
   */
  decidedEnd(order: Order, { alongside, ...end }: OrderEnded): Promise<Order | null> {
    const changes: Changes = { ...end, state: 'closed', rawStatus: 'settled_by_operator', nextCheckAt: null };
    const guard = { where: IS_UNLISTED, parameters: {} };
    return this.move(order, ['open'], changes, { guard, alongside });
  }

  private async report(order: Order, changes: Changes, askedAt: Date, executedVolume: Amount): Promise<Order> {
    const guard: Guard = {
      where: `(:ends or (executed_volume <= :executed
        and (read_at is null or read_at <= :askedAt or read_at > :tooFarAhead)))`,
      parameters: {
        askedAt,
        ends: changes.state === 'closed',
        executed: executedVolume.toString(),
        tooFarAhead: new Date(askedAt.getTime() + CLOCK_ERROR_MS),
      },
    };
    try {
      return (await this.confirm(order, changes, guard)) ?? (await this.learn(order, changes, guard));
    } catch (error) {
      if (sqlRefusalOf(error).code === LOCK_TIMEOUT) return { ...order, ...changes };
      throw error;
    }
  }

  /**
   * Corrects an order that was recorded as refused or never placed, and that the exchange has. The caller got the wrong
   * answer, so operators must learn of it: the correction is logged, counted and kept in `contradictedAt`.
   * @returns null when the order has another state, or when the order at the exchange belongs to a repeat of an order
   *   that was not sent
   */
  private async correct(order: Order, changes: Changes): Promise<Order | null> {
    if (await this.isMadeByRepeat(order)) return null;
    const nothing = { errorCode: null, errorMessage: null, errorResult: null };
    const corrected = { ...changes, ...nothing, contradictedAt: this.clock.now() };
    const after = await this.move(order, NONE, corrected);
    if (after === null) return null;
    const { id: orderId, exchange, exchangeIds } = after;
    this.metrics.ended(exchange, 'contradicted');
    this.logger.error(
      { orderId, exchange, exchangeIds },
      'the exchange has an order that was reported as refused or never placed; the order is corrected',
    );
    return after;
  }

  /**
   * Stores the times of the read and of the next check, and the count of reads without the order, and nothing else, if
   * callers would see no difference. It does not lock the wallet, so that calls that place orders need not wait.
   * @returns null when callers would see a difference, or the row has changed
   */
  private async confirm(order: Order, changes: Changes, { where, parameters }: Guard): Promise<Order | null> {
    const after = { ...order, ...changes };
    const { id, state, updatedAt } = order;
    if (state !== 'open' || after.state !== state || !isSameToReaders(order, after)) return null;
    const { readAt, nextCheckAt, cleanSearches, lastCleanSearchAt } = after;
    const seen = { readAt, nextCheckAt, cleanSearches, lastCleanSearchAt };
    const { affected } = await this.db
      .repository(Order)
      .createQueryBuilder()
      .update()
      .set(seen)
      .where('id = :id and state = :state and updated_at = :updatedAt', { id, state, updatedAt })
      .andWhere(where, parameters)
      .execute();
    return affected === 1 ? { ...order, ...seen } : null;
  }

  private async learn(order: Order, changes: Changes, guard: Guard): Promise<Order> {
    const known = await this.change(order, [...IN_DOUBT, 'open'], changes, { guard });
    if (known !== null) {
      this.tellOf(known);
      return known.after;
    }
    const current = await this.db.repository(Order).findOneByOrFail({ id: order.id });
    const { nextCheckAt } = changes;
    if (countsAsNone(current.state)) return (await this.correct(current, changes)) ?? current;
    if (current.state !== 'closed' && nextCheckAt !== null)
      await this.db.repository(Order).update({ id: order.id, state: current.state }, { nextCheckAt });
    return current;
  }

  /** Whether the order at the exchange is of a later request with the same key, and so the same client order id. */
  private isMadeByRepeat({ walletId, clientOrderId }: Order): Promise<boolean> {
    return this.db.repository(Order).existsBy({ walletId, clientOrderId, state: Not(In(NONE)) });
  }

  private tellOf({ before, after }: Change): void {
    const facts = { orderId: after.id, state: after.state };
    if (isInDoubt(before.state)) {
      this.metrics.ended(after.exchange, 'found');
      this.logger.info(facts, 'an order with an unknown outcome was found at its exchange');
    }
    if (after.executedVolume.lessThan(before.executedVolume)) {
      const [was, is] = [before.executedVolume.toString(), after.executedVolume.toString()];
      this.logger.warn({ ...facts, was, is }, 'the exchange reports less executed volume of an order than before');
    }
  }

  private async move(order: Order, from: OrderState[], changes: Changes, more?: More): Promise<Order | null> {
    return (await this.change(order, from, changes, more))?.after ?? null;
  }

  /** Locks the wallet's row first, as all transactions do, so that no deadlock is possible. */
  private change(
    order: Order,
    from: OrderState[],
    changes: Changes,
    { guard, alongside }: More = {},
  ): Promise<Change | null> {
    return this.db.transaction(async (tx) => {
      await this.wallets.lock(tx, order.walletId);
      const before = await tx.findOneByOrFail(Order, { id: order.id });
      if (!from.includes(before.state)) return null;
      await alongside?.(tx);
      const update = tx
        .createQueryBuilder()
        .update(Order)
        .set({ ...changes, updatedAt: this.clock.now() } as QueryDeepPartialEntity<Order>)
        .where('id = :id and state in (:...from)', { id: order.id, from });
      if (guard !== undefined) update.andWhere(guard.where, guard.parameters);
      const { affected } = await update.execute();
      if (affected !== 1) return null;
      const after = await tx.findOneByOrFail(Order, { id: order.id });
      if (isInDoubt(before.state) && !isInDoubt(after.state)) await this.wallets.release(tx, after.walletId, after.id);
      if (!isSameToReaders(before, after)) await this.events.record(tx, [toOrderEvent(after)]);
      return { before, after };
    });
  }
}

function changesOf(order: Order, seen: ExchangeOrder, readAt: Date, nextCheckAt: Date): Changes {
  const { status, executedVolume, cost, averagePrice, openedAt, closedAt } = seen;
  const fees = seen.fees?.map(({ asset, amount }) => ({
    asset: asset === null ? order.quoteAsset : washed(asset),
    amount: amount.toString(),
  }));
  const ends = isFinalStatus(status);
  return {
    state: ends ? 'closed' : 'open',
    status,
    rawStatus: washed(seen.rawStatus),
    exchangeIds: order.exchangeIds.length === 0 ? [washed(seen.exchangeId)] : order.exchangeIds,
    executedVolume,
    cost,
    averagePrice,
    fees: fees ?? null,
    openedAt,
    closedAt,
    description: JSON.parse(toStorableJson(seen.description)) as Order['description'],
    rawAnswer: kept(seen.raw),
    readAt,
    nextCheckAt: ends ? null : nextCheckAt,
    cleanSearches: 0,
    lastCleanSearchAt: null,
  };
}

/**
 * The changes that end an order which never existed at the exchange. `rawStatus` is a status of ours, because the
 * exchange has none.
 */
function noOrder(state: 'refused' | 'not_placed', nextCheckAt: Date | null): Changes {
  return { state, status: 'canceled', rawStatus: state, nextCheckAt };
}

function errorOf({ code, message, result }: Refusal): Changes {
  return { errorCode: code, errorMessage: message, errorResult: result === null ? null : kept(result) };
}

/** Converts a response to the form in which it is stored. */
function kept(answer: Json): Json {
  return JSON.parse(toStorable(answer)) as Json;
}

function washed(text: string): string {
  const [clean] = JSON.parse(toStorableJson([text])) as [string];
  return clean;
}
