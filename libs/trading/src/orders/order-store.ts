import { Injectable } from '@nestjs/common';
import { Equal, In, IsNull, Not, type EntityManager } from 'typeorm';
import type { PreparedOrder } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database, type DatabaseTime, type EntityStatement, LOCK_TIMEOUT, sqlRefusalOf } from '#platform/database';
import { RateLimitExceeded } from '#platform/errors';
import { Wallets, type Wallet } from '#wallet';
import { answeredBefore, TRIED_AGAIN } from './repeated-order.js';
import { Order } from './order.entity.js';
import { OrderInDoubt, WalletInUse } from './order.errors.js';
import { nameOfOrder, periodStart } from './order-name.js';
import { isInDoubt } from './order-state.js';

const MINUTE_MS = 60_000;
const OF_EXTERNAL_WALLET: EntityStatement<Order> = {
  name: 'order of an external wallet',
  of: Order,
  where: 'id = $1 and project_id = $2 and external_wallet_id = $3 and exchange = $4',
};

/** An order that is about to be sent, before its row exists. */
export type OrderDraft = Pick<
  Order,
  | 'connectorVersion'
  | 'credentialVersion'
  | 'routeId'
  | 'baseAsset'
  | 'quoteAsset'
  | 'side'
  | 'type'
  | 'volume'
  | 'price'
  | 'idempotencyKey'
  | 'asked'
  | 'clientOrderId'
  | 'request'
  | 'submissionDeadline'
  | 'description'
  | 'orderText'
  | 'createdAt'
>;

/** What makes two orders of a wallet equal. */
export type OrderTerms = Pick<Order, 'routeId' | 'side' | 'type' | 'volume' | 'price'>;

/** Maximum number of equal refused orders that are compared before an order is placed: the newest ones. */
export const REFUSED_MAX = 5;

/**
 * The columns that determine the group of an order. The orders of a wallet form two groups: those in doubt, and those
 * that are open. The more orders a group has, the longer is the pause between two checks of one order.
 */
export type Followed = Pick<Order, 'state' | 'projectId' | 'walletId' | 'externalWalletId'>;

/** Stores orders. Only the call that inserts the row of an order may send the order. */
@Injectable()
export class OrderStore {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly wallets: Wallets,
  ) {}

  find(id: string): Promise<Order | null> {
    return this.db.repository(Order).findOneBy({ id });
  }

  /** Also finds orders of an earlier wallet with the same external id. */
  async findOf({ projectId, externalId, exchange }: Wallet, id: string): Promise<Order | null> {
    const [order] = await this.db.readEntities(OF_EXTERNAL_WALLET, [id, projectId, externalId, exchange]);
    return order ?? null;
  }

  /**
   * Finds the order of an earlier equal request with the same key, if the key has not expired at `now`.
   * @throws the errors of `answeredBefore`
   */
  async findAnswered(
    { projectId, externalId: externalWalletId }: Pick<Wallet, 'projectId' | 'externalId'>,
    { idempotencyKey, asked }: Pick<Order, 'idempotencyKey' | 'asked'>,
    now: Date,
    tx: EntityManager = this.db.repository(Order).manager,
  ): Promise<Order | null> {
    if (idempotencyKey === null) return null;
    const keptSince = this.keysKeptSince(now);
    const earlier = await tx
      .createQueryBuilder(Order, 'o')
      .where('o.projectId = :projectId and o.externalWalletId = :externalWalletId', { projectId, externalWalletId })
      .andWhere('o.idempotencyKey = :idempotencyKey and o.createdAt > :keptSince', { idempotencyKey, keptSince })
      .andWhere('(o.sentAt is not null or o.errorCode is null or o.errorCode not in (:...triedAgain))', {
        triedAgain: TRIED_AGAIN,
      })
      .orderBy('o.createdAt', 'DESC')
      .getOne();
    return earlier === null ? null : answeredBefore(earlier, asked, now);
  }

  /**
   * Returns the name from which the client order id is derived for an `Idempotency-Key`. All attempts of one request
   * within one period (`periodOf`) get the same name, even after the order's row was lost.
   * @param time of the request
   * @returns undefined without a key
   */
  async nameOf(wallet: Wallet, key: Order['idempotencyKey'], time: Date): Promise<string | undefined> {
    if (key === null) return undefined;
    // After IDEMPOTENCY_TTL_SECONDS, a request with the same key is a new order and needs a new client order id. So the
    // name contains the number of earlier orders with this key whose key has expired. Orders that were not sent for a
    // temporary reason do not count, because a repeat continues the same request.
    const [row] = await this.db.query<{ count: string }>(
      `select count(*) as count from orders
        where project_id = $1 and external_wallet_id = $2 and idempotency_key = $3 and created_at between $4 and $5
          and (sent_at is not null or error_code is null or error_code <> all($6))`,
      [wallet.projectId, wallet.externalId, key, periodStart(time), this.keysKeptSince(time), TRIED_AGAIN],
    );
    return nameOfOrder(wallet, key, time, Number(row?.count));
  }

  /**
   * Whether the database was restored after `recent` and after `tooRecent`. The time of a restore is `infinity` until
   * the restore is detected.
   */
  async restoredSince(recent: Date, tooRecent: Date): Promise<{ isRecent: boolean; isTooRecent: boolean }> {
    const [restored] = await this.db.query<{ isRecent: boolean; isTooRecent: boolean }>(
      `select r.at > $1 as "isRecent", r.at > $2 as "isTooRecent" from database_restored_at() r(at)`,
      [recent, tooRecent],
    );
    return { isRecent: restored?.isRecent !== false, isTooRecent: restored?.isTooRecent !== false };
  }

  private keysKeptSince(now: Date): Date {
    return new Date(now.getTime() - this.config.values.IDEMPOTENCY_TTL_SECONDS * 1_000);
  }

  /**
   * Stores the intent in one transaction. With `isNew`, only this call may send the order; else the result is the order
   * of an equal request with the same key.
   * @throws OrderInDoubt when a duplicate is in doubt
   * @throws RateLimitExceeded, WalletNotFound, WalletInUse, CredentialsReplaced, and the errors of `answeredBefore`
   */
  async begin(wallet: Wallet, draft: OrderDraft, time: DatabaseTime): Promise<{ order: Order; isNew: boolean }> {
    try {
      return await this.db.transaction(async (tx) => {
        await this.wallets.lockConnected(tx, wallet.id);
        const answered = await this.findAnswered(wallet, draft, time.now(), tx);
        if (answered !== null) return { order: answered, isNew: false };
        await this.limitRate(tx, wallet, time.now());
        const order = await this.insert(tx, wallet, draft, time.now());
        await this.wallets.hold(tx, wallet, { holder: order.id, version: draft.credentialVersion });
        return { order, isNew: true };
      });
    } catch (error) {
      const { code, constraint } = sqlRefusalOf(error);
      if (code === '23505' && constraint === 'orders_one_in_doubt') throw await this.duplicateOf(wallet, draft, error);
      if (code === LOCK_TIMEOUT) throw new WalletInUse(error);
      throw error;
    }
  }

  /**
   * Stores the request of the next attempt. The earlier attempt wrote no byte of its request to the exchange.
   * @returns null when this call may no longer send the order
   */
  async sendAgain(order: Order, { request, submissionDeadline }: PreparedOrder, now: Date): Promise<Order | null> {
    const { affected } = await this.db
      .repository(Order)
      .update({ id: order.id, state: 'placing' }, { request, submissionDeadline, updatedAt: now });
    return affected === 1 ? { ...order, request, submissionDeadline } : null;
  }

  /** Takes due rows. Each row goes to one caller and is not due again for one lease. */
  async takeDue(now: Date, limit: number): Promise<string[]> {
    const rows = await this.db.query<{ id: string }>(
      `update orders set next_check_at = $2
       where id in (select id from orders where next_check_at <= $1 order by next_check_at
                    limit $3 for update skip locked)
       returning id`,
      [now, new Date(now.getTime() + this.config.constants.QUEUE_LEASE_MS), limit],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Sets the time of the next check after a check that has not settled the order. An order in doubt that is no longer
   * checked gets no next check, because an order in doubt with a next check blocks equal new orders.
   * @param nextCheckAt when the worker checks next; null means never
   * @param searchedAt when the exchange was asked
   */
  async reschedule({ id, state }: Order, nextCheckAt: Date | null, searchedAt: Date | null = null): Promise<void> {
    await this.db.query(
      `update orders set searched_at = coalesce($4, searched_at),
         next_check_at = case when state = 'open' or next_check_at is not null then $3::timestamptz end
       where id = $1 and state = $2`,
      [id, state, nextCheckAt, searchedAt],
    );
  }

  /**
   * Lists orders of the wallet with the given terms that were sent, count as none, and are still compared with the
   * exchange; newest first.
   */
  listRefusedLike({ projectId, id: walletId }: Wallet, terms: OrderTerms): Promise<Order[]> {
    const { routeId, side, type, volume, price } = terms;
    return this.db.repository(Order).find({
      where: {
        projectId,
        walletId,
        routeId,
        side,
        type,
        volume: Equal(volume),
        price: price ?? IsNull(),
        state: In(['refused', 'not_placed']),
        nextCheckAt: Not(IsNull()),
        sentAt: Not(IsNull()),
      },
      order: { createdAt: 'DESC' },
      take: REFUSED_MAX,
    });
  }

  /** Counts the orders in the group of the given order (see `Followed`). */
  async countLike({ state, projectId, walletId, externalWalletId }: Followed): Promise<number> {
    const [row] = isInDoubt(state)
      ? await this.db.query<{ count: string }>(
          `select count(*) as count from orders
            where project_id = $1 and external_wallet_id = $2 and state in ('placing', 'unknown') and next_check_at is not null`,
          [projectId, externalWalletId],
        )
      : await this.db.query<{ count: string }>(
          `select count(*) as count from orders
            where wallet_id = $1 and state = 'open' and raw_status is distinct from 'not_listed'`,
          [walletId],
        );
    return Number(row?.count);
  }

  private async insert(tx: EntityManager, wallet: Wallet, draft: OrderDraft, now: Date): Promise<Order> {
    const leaseUntil = new Date(now.getTime() + this.config.constants.ORDER_LEASE_MS);
    const order = {
      ...draft,
      id: this.clock.newId(),
      projectId: wallet.projectId,
      walletId: wallet.id,
      externalWalletId: wallet.externalId,
      exchange: wallet.exchange,
      state: 'placing' as const,
      status: 'unknown' as const,
      rawStatus: 'unknown',
      leaseUntil,
      nextCheckAt: leaseUntil,
      updatedAt: draft.createdAt,
    };
    await tx.insert(Order, order);
    return tx.findOneByOrFail(Order, { id: order.id });
  }

  private async limitRate(tx: EntityManager, wallet: Wallet, now: Date): Promise<void> {
    const [row] = await this.db.query<{ count: string }>(
      `select count(*) as count from orders where wallet_id = $1 and created_at > $2`,
      [wallet.id, new Date(now.getTime() - MINUTE_MS)],
      tx,
    );
    if (Number(row?.count) >= this.config.values.ORDER_RATE_PER_MINUTE) {
      throw new RateLimitExceeded(MINUTE_MS / 1_000);
    }
  }

  private async duplicateOf(wallet: Wallet, draft: OrderDraft, cause: unknown): Promise<OrderInDoubt> {
    const { routeId, side, type, volume, price } = draft;
    const [duplicate] = await this.db.query<{ id: string }>(
      `select id from orders
        where project_id = $1 and external_wallet_id = $2 and route_id = $3 and side = $4 and type = $5 and volume = $6
          and price is not distinct from $7 and state in ('placing', 'unknown') and next_check_at is not null`,
      [wallet.projectId, wallet.externalId, routeId, side, type, volume.toString(), price?.toString() ?? null],
    );
    return new OrderInDoubt(duplicate?.id ?? null, cause);
  }
}
