import { Injectable } from '@nestjs/common';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import type { ExchangeOrder, OrderOutcome } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database, toStorable, toStorableJson } from '#platform/database';
import { Events } from '#platform/events';
import { Wallets } from '#wallet';
import { isSameToReaders, toOrderEvent } from './order.dto.js';
import type { Refusal } from './order.errors.js';
import { Order } from './order.entity.js';
import { isFinal, isFinalStatus, isInDoubt, type OrderState } from './order-state.js';

type Changes = Partial<Order>;
type Json = Record<string, unknown>;

/** What more than the state a statement asks of the row before it changes it. */
interface Guard {
  where: string;
  parameters: Record<string, unknown>;
}

const IN_DOUBT: OrderState[] = ['placing', 'unknown'];

/**
 * Writes down what became of an order. Each method is one transaction whose statement says from which states it goes, and
 * changes nothing when the row has moved on (null); what readers see differently is told as `order.updated` with it.
 */
@Injectable()
export class OrderLedger {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly wallets: Wallets,
    private readonly events: Events,
  ) {}

  /** The exchange has taken it. */
  accepted(order: Order, outcome: Extract<OrderOutcome, { kind: 'accepted' }>): Promise<Order | null> {
    const { exchangeIds, description } = outcome;
    return this.move(order, IN_DOUBT, {
      state: 'open',
      status: 'open',
      rawStatus: 'accepted',
      exchangeIds: exchangeIds.map(washed),
      orderText: description === null ? order.orderText : washed(description),
      placeAnswer: kept(outcome.answer),
      sentAt: order.sentAt,
      nextCheckAt: new Date(this.clock.now().getTime() + this.config.values.ORDER_CHECK_SECONDS * 1_000),
      checkCount: 0,
    });
  }

  /** A definite refusal: the exchange has none, and the answer is recorded for ever. */
  refused(order: Order, refusal: Refusal, answer: Json): Promise<Order | null> {
    return this.move(order, IN_DOUBT, {
      ...noOrder('refused'),
      ...errorOf(refusal),
      placeAnswer: kept(answer),
      sentAt: order.sentAt,
    });
  }

  /** Provably never begun. */
  notSent(order: Order, refusal: Refusal): Promise<Order | null> {
    return this.move(order, IN_DOUBT, { ...noOrder('not_placed'), ...errorOf(refusal) });
  }

  /** No definite answer, or the lease is over: only the exchange can tell. */
  unknown(order: Order, answer: Json): Promise<Order | null> {
    return this.move(order, ['placing'], {
      state: 'unknown',
      placeAnswer: kept(answer),
      sentAt: order.sentAt,
      nextCheckAt: this.clock.now(),
      checkCount: 0,
    });
  }

  /** As many listings without it as are needed: it was never made. */
  notPlaced(order: Order): Promise<Order | null> {
    const looks = this.config.values.ORDER_SETTLE_LOOKS;
    return this.move(order, ['unknown'], noOrder('not_placed'), {
      where: 'not_after is not null and clean_looks >= :looks',
      parameters: { looks },
    });
  }

  /**
   * One listing without it that proves something, asked for at `askedAt`; those within `gapMs` of one that counts do not.
   * @returns how many count by now.
   */
  async absent(order: Order, askedAt: Date, gapMs: number): Promise<number> {
    const [row] = await this.db.query<{ looks: number }>(
      `update orders set
         clean_looks = clean_looks + case when coalesce(last_clean_look_at <= $3, true) then 1 else 0 end,
         last_clean_look_at = case when coalesce(last_clean_look_at <= $3, true) then $2 else last_clean_look_at end
       where id = $1 and state = 'unknown'
       returning clean_looks as looks`,
      [order.id, askedAt, new Date(askedAt.getTime() - gapMs)],
    );
    return row?.looks ?? 0;
  }

  /**
   * What the exchange shows of it, asked for at `askedAt`. One that is older than what stands here, or shows less executed,
   * changes nothing; nothing changes an order that is final.
   * @returns the order as it stands then.
   */
  async read(order: Order, seen: ExchangeOrder, askedAt: Date, nextCheckAt: Date): Promise<Order> {
    const { status, executedVolume, cost, averagePrice, fee, openedAt, closedAt } = seen;
    const ends = isFinalStatus(status);
    const changes: Changes = {
      state: ends ? 'closed' : 'open',
      status,
      rawStatus: washed(seen.rawStatus),
      exchangeIds: order.exchangeIds.length === 0 ? [washed(seen.exchangeId)] : order.exchangeIds,
      ...{ executedVolume, cost, averagePrice, fee, openedAt, closedAt },
      description: JSON.parse(toStorableJson(seen.description)) as Order['description'],
      rawAnswer: kept(seen.raw),
      readAt: askedAt,
      nextCheckAt: ends ? null : nextCheckAt,
    };
    const known = await this.move(order, [...IN_DOUBT, 'open'], changes, {
      where: '(:ends or read_at is null or read_at <= :askedAt) and executed_volume <= :executed',
      parameters: { ends, askedAt, executed: executedVolume.toString() },
    });
    if (known !== null) return known;
    const current = await this.db.repository(Order).findOneByOrFail({ id: order.id });
    if (!isFinal(current.state))
      await this.db.repository(Order).update({ id: order.id, state: current.state }, { nextCheckAt });
    return current;
  }

  /** The wallet's row first, as everywhere: no two of its transactions wait for each other. */
  private move(order: Order, from: OrderState[], changes: Changes, guard?: Guard): Promise<Order | null> {
    return this.db.transaction(async (tx) => {
      await this.wallets.lock(tx, order.walletId);
      const before = await tx.findOneByOrFail(Order, { id: order.id });
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
      return after;
    });
  }
}

/** The end of an order that the exchange never had; the word is ours. */
function noOrder(state: 'refused' | 'not_placed'): Changes {
  return { state, status: 'canceled', rawStatus: state, nextCheckAt: null };
}

function errorOf({ code, message, result }: Refusal): Changes {
  return { errorCode: code, errorMessage: message, errorResult: result === null ? null : kept(result) };
}

/** As much of an answer as is stored. */
function kept(answer: Json): Json {
  return JSON.parse(toStorable(answer)) as Json;
}

function washed(text: string): string {
  const [clean] = JSON.parse(toStorableJson([text])) as [string];
  return clean;
}
