import type { PreparedOrder } from '#exchange';
import { Amount } from '#money';
import type { Clock } from '#platform/clock';
import type { Config } from '#platform/config';
import type { DatabaseTime } from '#platform/database';
import { RateLimitExceeded } from '#platform/errors';
import type { Wallet } from '#wallet';
import { nameOfOrder, periodStart } from '../../orders/order-name.js';
import { countsAsNone, isInDoubt } from '../../orders/order-state.js';
import {
  REFUSED_MAX,
  type Followed,
  type OrderDraft,
  type OrderStore,
  type OrderTerms,
} from '../../orders/order-store.js';
import type { Order } from '../../orders/order.entity.js';
import { OrderInDoubt } from '../../orders/order.errors.js';
import { answeredBefore, TRIED_AGAIN } from '../../orders/repeated-order.js';
import { blocksEqualOrders, hasTerms, isAlike, OrderRuleBroken, type MemoryOrders } from './memory-orders.js';

const MINUTE_MS = 60_000;

/** The methods of a class that callers may use. */
export type PortOf<Class> = Pick<Class, keyof Class>;

/** The holds of credentials, which belong to the wallets and not to the orders. */
export interface HoldPort {
  /** @throws WalletNotFound when the wallet is deleted; CredentialsReplaced when `version` is not its present one. */
  hold(walletId: string, holder: string, version: string): void;
  release(walletId: string, holder: string): void;
}

/** `OrderStore` in memory. Each method is one transaction. */
export class MemoryOrderStore implements PortOf<OrderStore> {
  constructor(
    private readonly table: MemoryOrders,
    private readonly holds: HoldPort,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  async find(id: string): Promise<Order | null> {
    return this.table.get(id);
  }

  async findOf({ projectId, externalId, exchange }: Wallet, id: string): Promise<Order | null> {
    const order = this.table.get(id);
    const isOf = order?.projectId === projectId && order.externalWalletId === externalId && order.exchange === exchange;
    return isOf ? order : null;
  }

  async findAnswered(
    wallet: Pick<Wallet, 'projectId' | 'externalId'>,
    asked: Pick<Order, 'idempotencyKey' | 'asked'>,
    now: Date,
  ): Promise<Order | null> {
    return this.answered(wallet, asked, now);
  }

  async nameOf(wallet: Wallet, key: Order['idempotencyKey'], time: Date): Promise<string | undefined> {
    if (key === null) return undefined;
    const [from, keptSince] = [periodStart(time), this.keysKeptSince(time)];
    const expired = this.ofKey(wallet, key).filter(
      (order) => order.createdAt >= from && order.createdAt <= keptSince && !isTriedAgain(order),
    );
    return nameOfOrder(wallet, key, time, expired.length);
  }

  async restoredSince(recent: Date, tooRecent: Date): Promise<{ isRecent: boolean; isTooRecent: boolean }> {
    const { restoredAt } = this.table;
    const isAfter = (moment: Date): boolean => restoredAt !== null && restoredAt > moment;
    return { isRecent: isAfter(recent), isTooRecent: isAfter(tooRecent) };
  }

  async begin(wallet: Wallet, draft: OrderDraft, time: DatabaseTime): Promise<{ order: Order; isNew: boolean }> {
    const now = time.now();
    const order = this.rowOf(wallet, draft, now);
    const answered = this.answered(wallet, draft, now);
    if (answered !== null) return { order: answered, isNew: false };
    const minuteAgo = new Date(now.getTime() - MINUTE_MS);
    const recent = this.table.filter(({ walletId, createdAt }) => walletId === wallet.id && createdAt > minuteAgo);
    if (recent.length >= this.config.values.ORDER_RATE_PER_MINUTE) throw new RateLimitExceeded(MINUTE_MS / 1_000);
    this.refuseDuplicate(order);
    this.holds.hold(wallet.id, order.id, draft.credentialVersion);
    this.table.insert(order);
    return { order: { ...order }, isNew: true };
  }

  async sendAgain(order: Order, { request, submissionDeadline }: PreparedOrder, now: Date): Promise<Order | null> {
    if (this.table.get(order.id)?.state !== 'placing') return null;
    this.table.update(order.id, { request, submissionDeadline, updatedAt: now });
    return { ...order, request, submissionDeadline };
  }

  async takeDue(now: Date, limit: number): Promise<string[]> {
    const due = this.table
      .filter(({ nextCheckAt }) => nextCheckAt !== null && nextCheckAt <= now)
      .sort((a, b) => (a.nextCheckAt?.getTime() ?? 0) - (b.nextCheckAt?.getTime() ?? 0))
      .slice(0, limit);
    const nextCheckAt = new Date(now.getTime() + this.config.constants.QUEUE_LEASE_MS);
    return due.map(({ id }) => this.table.update(id, { nextCheckAt }).id);
  }

  async reschedule({ id, state }: Order, nextCheckAt: Date | null, searchedAt: Date | null = null): Promise<void> {
    const order = this.table.get(id);
    if (order?.state !== state) return;
    const isFollowed = state === 'open' || order.nextCheckAt !== null;
    this.table.update(id, {
      searchedAt: searchedAt ?? order.searchedAt,
      nextCheckAt: isFollowed ? nextCheckAt : null,
    });
  }

  async listRefusedLike({ id: walletId }: Wallet, terms: OrderTerms): Promise<Order[]> {
    const isLike = (row: Order): boolean =>
      row.walletId === walletId && hasTerms(row, terms) && row.sentAt !== null && row.nextCheckAt !== null;
    return this.table
      .filter((row) => countsAsNone(row.state) && isLike(row))
      .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
      .slice(0, REFUSED_MAX);
  }

  async countLike({ state, projectId, walletId, externalWalletId }: Followed): Promise<number> {
    const isLike = isInDoubt(state)
      ? (row: Order): boolean =>
          row.projectId === projectId && row.externalWalletId === externalWalletId && blocksEqualOrders(row)
      : (row: Order): boolean => row.walletId === walletId && row.state === 'open' && row.rawStatus !== 'not_listed';
    return this.table.filter(isLike).length;
  }

  /** @throws OrderInDoubt, OrderRuleBroken */
  private refuseDuplicate(order: Order): void {
    try {
      this.table.keepUnique(order);
    } catch (error) {
      if (!(error instanceof OrderRuleBroken) || error.constraint !== 'orders_one_in_doubt') throw error;
      const duplicate = this.table.filter((other) => blocksEqualOrders(other) && isAlike(order, other))[0];
      throw new OrderInDoubt(duplicate?.id ?? null, error);
    }
  }

  private answered(
    wallet: Pick<Wallet, 'projectId' | 'externalId'>,
    { idempotencyKey, asked }: Pick<Order, 'idempotencyKey' | 'asked'>,
    now: Date,
  ): Order | null {
    if (idempotencyKey === null) return null;
    const keptSince = this.keysKeptSince(now);
    const [earlier] = this.ofKey(wallet, idempotencyKey)
      .filter((order) => order.createdAt > keptSince && !isTriedAgain(order))
      .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
    return earlier === undefined ? null : answeredBefore(earlier, asked, now);
  }

  private ofKey({ projectId, externalId }: Pick<Wallet, 'projectId' | 'externalId'>, key: string): Order[] {
    return this.table.filter(
      (order) => order.projectId === projectId && order.externalWalletId === externalId && order.idempotencyKey === key,
    );
  }

  private keysKeptSince(now: Date): Date {
    return new Date(now.getTime() - this.config.values.IDEMPOTENCY_TTL_SECONDS * 1_000);
  }

  private rowOf(wallet: Wallet, draft: OrderDraft, now: Date): Order {
    const leaseUntil = new Date(now.getTime() + this.config.constants.ORDER_LEASE_MS);
    return {
      ...draft,
      id: this.clock.newId(),
      projectId: wallet.projectId,
      walletId: wallet.id,
      exchange: wallet.exchange,
      externalWalletId: wallet.externalId,
      state: 'placing',
      status: 'unknown',
      rawStatus: 'unknown',
      leaseUntil,
      nextCheckAt: leaseUntil,
      updatedAt: draft.createdAt,
      sentAt: null,
      exchangeIds: [],
      fees: [],
      openedAt: null,
      closedAt: null,
      executedVolume: Amount.zero,
      cost: Amount.zero,
      averagePrice: Amount.zero,
      placeAnswer: null,
      rawAnswer: null,
      errorCode: null,
      errorMessage: null,
      errorResult: null,
      readAt: null,
      searchedAt: null,
      cleanSearches: 0,
      lastCleanSearchAt: null,
      contradictedAt: null,
    };
  }
}

/** Whether a request with the key of this order may be executed again. */
function isTriedAgain({ errorCode, sentAt }: Order): boolean {
  return sentAt === null && errorCode !== null && TRIED_AGAIN.includes(errorCode);
}
