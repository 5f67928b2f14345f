import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { PreparedOrder } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database, type DatabaseTime } from '#platform/database';
import { RateLimitExceeded } from '#platform/errors';
import { Wallets, type Wallet } from '#wallet';
import { answeredBefore, TRIED_AGAIN } from './repeated-order.js';
import { Order } from './order.entity.js';
import { OrderInDoubt, WalletInUse } from './order.errors.js';
import { isInDoubt } from './order-state.js';
import { LOCK_TIMEOUT, sqlRefusalOf } from './sql-refusal.js';

const MINUTE_MS = 60_000;

/** What is about to be sent, known before the first row is written. */
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

/** Whose turns are counted together. */
export type Followed = Pick<Order, 'state' | 'projectId' | 'walletId' | 'externalWalletId'>;

/** Orders as rows: the intent that makes a second order impossible, and the sweep's turns. */
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

  /** Also one of a wallet that was connected under the same id before. */
  findOf({ projectId, externalId: externalWalletId, exchange }: Wallet, id: string): Promise<Order | null> {
    return this.db.repository(Order).findOneBy({ id, projectId, externalWalletId, exchange });
  }

  /**
   * The order of an equal request with the same key, of all that still count at `now`.
   * @throws what `answeredBefore` throws.
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
      .andWhere('(o.errorCode is null or o.errorCode not in (:...triedAgain))', { triedAgain: TRIED_AGAIN })
      .orderBy('o.createdAt', 'DESC')
      .getOne();
    return earlier === null ? null : answeredBefore(earlier, asked, now);
  }

  /**
   * What the order of a key is called, whether or not its row is remembered; the same for each attempt of one request.
   * @returns undefined without a key.
   */
  async nameOf(
    { projectId, externalId: externalWalletId }: Wallet,
    key: Order['idempotencyKey'],
    now: Date,
  ): Promise<string | undefined> {
    if (key === null) return undefined;
    // After the time of keys the same one is the name of another order; a row that says "not now" has ended no request.
    const [row] = await this.db.query<{ count: string }>(
      `select count(*) as count from orders
        where project_id = $1 and external_wallet_id = $2 and idempotency_key = $3 and created_at <= $4
          and (error_code is null or error_code <> all($5))`,
      [projectId, externalWalletId, key, this.keysKeptSince(now), TRIED_AGAIN],
    );
    return JSON.stringify([projectId, externalWalletId, key, Number(row?.count)]);
  }

  private keysKeptSince(now: Date): Date {
    return new Date(now.getTime() - this.config.values.IDEMPOTENCY_TTL_SECONDS * 1_000);
  }

  /**
   * The intent, in one transaction: with `isNew` this call, and no other, may send it. Else it is the order of an equal
   * request with the same key.
   * @throws OrderInDoubt when one of the same shape is; RateLimitExceeded; WalletNotFound when it was deleted; WalletInUse;
   *   CredentialsReplaced; what `answeredBefore` throws.
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
   * What is sent next, after not one byte of the attempt before was written.
   * @returns null when the order is no longer this call's to send.
   */
  async sendAgain(order: Order, { request, submissionDeadline }: PreparedOrder, now: Date): Promise<Order | null> {
    const { affected } = await this.db
      .repository(Order)
      .update({ id: order.id, state: 'placing' }, { request, submissionDeadline, updatedAt: now });
    return affected === 1 ? { ...order, request, submissionDeadline } : null;
  }

  /** Rows that are due, each taken by one caller: pushes them out of sight for one lease. */
  async takeDue(now: Date, limit: number): Promise<string[]> {
    const rows = await this.db.query<{ id: string }>(
      `update orders set next_check_at = $2, check_count = check_count + 1
       where id in (select id from orders where next_check_at <= $1 order by next_check_at
                    limit $3 for update skip locked)
       returning id`,
      [now, new Date(now.getTime() + this.config.values.QUEUE_LEASE_MS), limit],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Nothing was learned. One in doubt that the worker has given up stays so: it would stand in the way of its equals again.
   * @param nextCheckAt when the worker looks next; null = never more.
   * @param lookedAt when the exchange was asked.
   */
  async reschedule({ id, state }: Order, nextCheckAt: Date | null, lookedAt: Date | null = null): Promise<void> {
    await this.db.query(
      `update orders set looked_at = coalesce($4, looked_at),
         next_check_at = case when state = 'open' or next_check_at is not null then $3::timestamptz end
       where id = $1 and state = $2`,
      [id, state, nextCheckAt, lookedAt],
    );
  }

  /** How many orders of the wallet the worker follows that are in doubt, or open, as this one is. */
  async countLike({ state, projectId, walletId, externalWalletId }: Followed): Promise<number> {
    const [row] = isInDoubt(state)
      ? await this.db.query<{ count: string }>(
          `select count(*) as count from orders
            where project_id = $1 and external_wallet_id = $2 and state in ('placing', 'unknown') and next_check_at is not null`,
          [projectId, externalWalletId],
        )
      : await this.db.query<{ count: string }>(
          `select count(*) as count from orders where wallet_id = $1 and state = 'open'`,
          [walletId],
        );
    return Number(row?.count);
  }

  private async insert(tx: EntityManager, wallet: Wallet, draft: OrderDraft, now: Date): Promise<Order> {
    const leaseUntil = new Date(now.getTime() + this.config.values.ORDER_LEASE_MS);
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
    const [twin] = await this.db.query<{ id: string }>(
      `select id from orders
        where project_id = $1 and external_wallet_id = $2 and route_id = $3 and side = $4 and type = $5 and volume = $6
          and price is not distinct from $7 and state in ('placing', 'unknown') and next_check_at is not null`,
      [wallet.projectId, wallet.externalId, routeId, side, type, volume.toString(), price?.toString() ?? null],
    );
    return new OrderInDoubt(twin?.id ?? null, cause);
  }
}
