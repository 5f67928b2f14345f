import { isDeepStrictEqual } from 'node:util';
import type { OrderStatus } from '#exchange';
import { countsAsNone, isInDoubt, orderTransitions, type OrderState } from '../../orders/order-state.js';
import type { OrderTerms } from '../../orders/order-store.js';
import type { Order } from '../../orders/order.entity.js';

/** A statement broke a rule of the schema. `constraint` is the name that PostgreSQL reports. */
export class OrderRuleBroken extends Error {
  constructor(
    readonly code: '23505' | '23514' | '23001',
    readonly constraint: string,
  ) {
    super(`the row breaks the constraint ${constraint}`);
  }
}

/** Like the interval in `keep_order`. */
const READ_AHEAD_MAX_MS = 120_000;

/** The columns that no statement may change. */
const FIXED = [
  ...(['id', 'projectId', 'walletId', 'externalWalletId', 'exchange', 'credentialVersion', 'routeId'] as const),
  ...(['baseAsset', 'quoteAsset', 'side', 'type', 'idempotencyKey', 'asked', 'clientOrderId', 'createdAt'] as const),
] as const satisfies readonly (keyof Order)[];

/** The columns of the request that was sent. They may change only while nothing is sent. */
const SENT = ['request', 'submissionDeadline'] as const satisfies readonly (keyof Order)[];

/** The table of orders in memory, under the same rules as in PostgreSQL. */
export class MemoryOrders {
  private rows = new Map<string, Order>();
  /** Number of changes so far. The simulation checks its invariants again when the number has grown. */
  version = 0;
  /** When the database was restored; null = it is the original one. */
  restoredAt: Date | null = null;

  get(id: string): Order | null {
    return this.rows.get(id) ?? null;
  }

  all(): Order[] {
    return [...this.rows.values()];
  }

  filter(fits: (row: Order) => boolean): Order[] {
    return this.all().filter(fits);
  }

  /** @throws OrderRuleBroken */
  insert(row: Order): void {
    if (this.rows.has(row.id)) throw new OrderRuleBroken('23505', 'orders_pkey');
    checkOrder(row);
    this.keepUnique(row);
    this.rows.set(row.id, row);
    this.version += 1;
  }

  /**
   * Replaces a row with a copy that has the changes, so that a row that a caller has read does not change.
   * @throws OrderRuleBroken
   */
  update(id: string, changes: Partial<Order>): Order {
    const old = this.rows.get(id);
    if (old === undefined) throw new Error(`the table has no order ${id}`);
    const row: Order = { ...old, ...changes };
    keepOrder(row, old);
    checkOrder(row);
    this.keepUnique(row);
    this.rows.set(id, row);
    this.version += 1;
    return row;
  }

  /** Returns a function that restores the present rows, as a database is restored to an earlier moment. */
  backUp(): (now: Date) => void {
    const kept = new Map(this.rows);
    return (now) => {
      this.rows = new Map(kept);
      this.restoredAt = now;
      this.version += 1;
    };
  }

  /** @throws OrderRuleBroken when another row excludes this one, in the order in which PostgreSQL checks its indexes */
  keepUnique(row: Order): void {
    const others = this.filter(({ id }) => id !== row.id);
    const mayExist = ({ state }: Order): boolean => !countsAsNone(state);
    const hasSameId = (other: Order): boolean =>
      other.walletId === row.walletId && other.clientOrderId === row.clientOrderId && mayExist(other);
    if (mayExist(row) && others.some(hasSameId)) throw new OrderRuleBroken('23505', 'orders_client_id');
    if (blocksEqualOrders(row) && others.some((other) => blocksEqualOrders(other) && isAlike(row, other)))
      throw new OrderRuleBroken('23505', 'orders_one_in_doubt');
  }
}

/** Whether no equal order may be placed, because this one is in doubt and still followed. */
export function blocksEqualOrders({ state, nextCheckAt }: Pick<Order, 'state' | 'nextCheckAt'>): boolean {
  return isInDoubt(state) && nextCheckAt !== null;
}

type Terms = Pick<Order, 'projectId' | 'externalWalletId'> & OrderTerms;

/** Whether two orders of the same wallet have the same terms. */
export function isAlike(one: Terms, other: Terms): boolean {
  return one.projectId === other.projectId && one.externalWalletId === other.externalWalletId && hasTerms(one, other);
}

/** Whether an order has the given terms. */
export function hasTerms(order: OrderTerms, terms: OrderTerms): boolean {
  return (['routeId', 'side', 'type', 'volume', 'price'] as const).every(
    (column) => String(order[column]) === String(terms[column]),
  );
}

/** The statuses that an order may have in each state. */
const STATUSES: Readonly<Record<OrderState, readonly OrderStatus[]>> = {
  placing: ['unknown'],
  unknown: ['unknown'],
  open: ['open', 'unknown'],
  closed: ['filled', 'canceled', 'expired'],
  refused: ['canceled'],
  not_placed: ['canceled'],
};

/** The constraints of a row by itself, in the order of their names. */
function checkOrder({ state, status, errorCode, exchangeIds, nextCheckAt }: Order): void {
  const isRefusal = state !== 'refused' || errorCode !== null;
  if (!STATUSES[state].includes(status) || !isRefusal) throw new OrderRuleBroken('23514', 'orders_check1');
  const isAtExchange = state === 'open' || state === 'closed';
  if (isAtExchange !== exchangeIds.length > 0) throw new OrderRuleBroken('23514', 'orders_check2');
  if (state === 'closed' && nextCheckAt !== null) throw new OrderRuleBroken('23514', 'orders_check3');
}

/** The columns that may change in an order that was reported as refused or never placed. */
const COMPARED: readonly (keyof Order)[] = ['nextCheckAt', 'searchedAt'];

/** The trigger `keep_order`. */
function keepOrder(row: Order, old: Order): void {
  const isKept = (columns: readonly (keyof Order)[]): boolean =>
    columns.every((column) => isDeepStrictEqual(row[column], old[column]));
  const isSending = old.state === 'placing' && row.state === 'placing';
  const rules = [
    mayChange(row, old),
    old.contradictedAt === null || isKept(['contradictedAt']),
    isKept(FIXED),
    isSending || isKept(SENT),
    isKept(['leaseUntil']),
    row.state === old.state || orderTransitions[old.state].includes(row.state),
    old.exchangeIds.length === 0 || isKept(['exchangeIds']),
    row.state === 'closed' || !(row.executedVolume.lessThan(old.executedVolume) || isOlder(row.readAt, old.readAt)),
  ];
  if (rules.includes(false)) throw new OrderRuleBroken('23001', 'keep_order');
}

/** Whether a report is older than the stored one. A time far in the future was written with a wrong clock. */
function isOlder(read: Date | null, stored: Date | null): boolean {
  if (read === null || stored === null) return false;
  return read < stored && read.getTime() > stored.getTime() - READ_AHEAD_MAX_MS;
}

/** Whether the order may change at all. One that counts as none is only compared, or corrected with an alarm. */
function mayChange(row: Order, old: Order): boolean {
  if (old.state === 'closed') return false;
  if (!countsAsNone(old.state) || (row.state !== old.state && row.contradictedAt !== null)) return true;
  const columns = (Object.keys(old) as (keyof Order)[]).filter((column) => !COMPARED.includes(column));
  return columns.every((column) => isDeepStrictEqual(row[column], old[column]));
}
