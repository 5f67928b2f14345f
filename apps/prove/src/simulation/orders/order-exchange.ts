import type { AssetBalance, OrderOutcome } from '#exchange';
import { Amount } from '#money';
import { timeOfDay } from '../world/process.js';
import type { Random } from '../world/random.js';
import type { Scheduler } from '../world/scheduler.js';
import { lastOf, OrderBook, shownAt, type BookedOrder, type OrderTerms, type ShownOrder } from './order-book.js';
import { drawRefusal } from './order-deliveries.js';
import type { OrderFault, OrderView } from './order-faults.js';
import { orderTiming } from './order-timing.js';

/** The traits of the exchange in this run. */
export interface OrderExchangeTraits {
  /** How long after its preparation an order can be accepted; null = the exchange has no submission deadline. */
  deadlineMs: number | null;
  /** How long after its signature the exchange accepts a request, and carries it out later; null = for any time. */
  signedForMs: number | null;
  /**
   * How the exchange recognizes a client order id that it has seen: it refuses every such id, or only that of an open
   * order (as Binance documents), or it recognizes the nonce of a copy instead (as Kraken).
   */
  recognizes: 'every_id' | 'open_ids' | 'nonces';
  /** The orders that a search by the client order id finds; the lists contain the others. */
  idSearch: 'all' | 'open';
  /** Whether a refusal for insufficient funds proves that no copy of the order was accepted. */
  isFundsRefusalDefinite: boolean;
  faults: readonly OrderFault[];
  /** The probability that a fault affects a submission. */
  faultRate: number;
  /** The probability that a read fails. */
  readErrorRate: number;
  /** The longest time until each view shows a change. */
  lags: Readonly<Record<OrderView, number>>;
  /** Whether the free balance is too small for all orders. */
  isPoor: boolean;
}

export interface OrderExchangeParts {
  scheduler: Scheduler;
  random: Random;
  onEvent: (event: string) => void;
  onFault: (fault: OrderFault) => void;
}

/** A request that has reached the exchange. */
export interface OrderArrival {
  /** The API key that signed the request: `A1` and `A2` open the account `A`. */
  key: string;
  terms: OrderTerms;
  submissionDeadline: Date | null;
  sentInStep: number;
}

export const PRICE = Amount.of('20000');
export const BASE = 'BTC';
export const QUOTE = 'USD';
const RICH: Readonly<Record<string, Amount>> = { [BASE]: Amount.of('1000'), [QUOTE]: Amount.of('100000000') };
const POOR: Readonly<Record<string, Amount>> = { [BASE]: Amount.of('0.6'), [QUOTE]: Amount.of('12000') };

/** The simulated exchange: a book of orders, views that show it late, and its faults. */
export class OrderExchange {
  /** Whether all faults are over. */
  isCalm = false;
  /** How far the exchange's clock is ahead of the true time, in milliseconds. */
  offset = 0;
  /** Number of planned actions of the exchange, such as accepting a request or filling an order. */
  openMatters = 0;
  readonly book = new OrderBook();
  /** The `sentInStep` of each request of which the exchange has acted on a copy. */
  private readonly seen = new Set<number>();

  constructor(
    readonly traits: OrderExchangeTraits,
    private readonly parts: OrderExchangeParts,
  ) {}

  now(): Date {
    return timeOfDay(this.parts.scheduler.now, this.offset);
  }

  /** Draws the fault of a submission. */
  fault(): OrderFault | null {
    const { random, onFault } = this.parts;
    if (this.isCalm) return null;
    const fault = random.any(this.traits.faults);
    if (fault === null || !random.chance(this.traits.faultRate)) return null;
    onFault(fault);
    return fault;
  }

  failsRead(): boolean {
    return !this.isCalm && this.parts.random.chance(this.traits.readErrorRate);
  }

  /** Returns the moment up to which a view shows the account now. */
  moment(view: OrderView): number {
    const { scheduler, random } = this.parts;
    const longest = this.traits.lags[view];
    if (longest === 0) return scheduler.now;
    return scheduler.now - (random.chance(0.5) ? longest : random.between(0, longest));
  }

  /** Runs `work` later, also when processes have died by then. */
  later(ms: number, label: string, work: () => void): void {
    this.openMatters += 1;
    const run = (): void => {
      this.openMatters -= 1;
      work();
    };
    this.parts.scheduler.add({ owner: null, label: `exchange ${label}`, kind: 'event', in: ms, run });
  }

  /** Acts on a request that has arrived. It may be a second copy of an earlier one. @returns the response. */
  act(arrival: OrderArrival, isRefused: boolean): OrderOutcome {
    const { terms, key, submissionDeadline, sentInStep } = arrival;
    const isCopy = this.seen.has(sentInStep);
    this.seen.add(sentInStep);
    const { recognizes } = this.traits;
    if (recognizes === 'nonces' && isCopy) return notUnderstood('EAPI:Invalid nonce');
    const same = this.book.ofClientId(accountOf(key), terms.clientOrderId);
    const isKnown = recognizes === 'open_ids' ? same.some(isOpen) : same.length > 0;
    if (recognizes !== 'nonces' && isKnown) return notUnderstood('EOrder:Duplicate client order id');
    if (submissionDeadline !== null && this.now() > submissionDeadline) return notUnderstood('EOrder:Deadline elapsed');
    if (isRefused) return drawRefusal(this.parts.random);
    const { asset, amount } = needOf(terms);
    if (this.free(accountOf(key), this.parts.scheduler.now, asset).lessThan(amount)) {
      return this.traits.isFundsRefusalDefinite ? fundsRefused() : notUnderstood('EOrder:Insufficient funds');
    }
    return this.accept(arrival);
  }

  balances(key: string, moment: number): AssetBalance[] {
    const account = accountOf(key);
    return [BASE, QUOTE].map((asset) => {
      const free = this.free(account, moment, asset);
      const used = this.held(account, moment, asset);
      return { asset, free, used, total: free.plus(used) };
    });
  }

  private accept({ terms, key, sentInStep }: OrderArrival): OrderOutcome {
    const { scheduler, onEvent } = this.parts;
    const order = this.book.add({ ...terms, account: accountOf(key), sentInStep, bookedAt: scheduler.now });
    onEvent(`exchange books ${order.exchangeId} for ${terms.clientOrderId}`);
    this.planEnd(order);
    const answer = { status: 200, body: { txid: [order.exchangeId] } };
    return { kind: 'accepted', exchangeIds: [order.exchangeId], description: null, answer };
  }

  /** Plans how the order ends: filled at once, filled later, filled in parts, or canceled by the owner. */
  private planEnd(order: BookedOrder): void {
    const { random } = this.parts;
    const fate = random.pick(['at_once', 'later', 'partly', 'partly_canceled', 'canceled'] as const);
    if (fate === 'at_once') return this.end(order, 'filled');
    const after = random.between(500, orderTiming.endMax);
    if (fate === 'partly' || fate === 'partly_canceled') {
      this.later(random.between(0, after), 'fills a part', () => this.fill(order, Amount.of('0.1')));
    }
    const status = fate === 'later' || fate === 'partly' ? 'filled' : 'canceled';
    this.later(after, 'ends an order', () => this.end(order, status));
  }

  private fill(order: BookedOrder, executed: Amount): void {
    this.book.change(order, this.parts.scheduler.now, 'open', executed);
    this.parts.onEvent(`exchange fills a part of ${order.exchangeId}`);
  }

  private end(order: BookedOrder, status: 'filled' | 'canceled'): void {
    const executed = status === 'filled' ? order.volume : lastOf(order).executed;
    this.book.change(order, this.parts.scheduler.now, status, executed);
    this.parts.onEvent(`exchange ends ${order.exchangeId} as ${status}`);
  }

  private free(account: string, moment: number, asset: string): Amount {
    const start = (this.traits.isPoor ? POOR : RICH)[asset] ?? Amount.zero;
    const shown = this.book.shownAt(account, moment);
    return Amount.sum([start, ...shown.map((each) => effectOn(asset, each))]).minus(this.held(account, moment, asset));
  }

  private held(account: string, moment: number, asset: string): Amount {
    return Amount.sum(this.book.shownAt(account, moment).map((each) => heldBy(asset, each)));
  }
}

/** The account that a key opens. */
export function accountOf(key: string): string {
  return key.slice(0, 1);
}

function isOpen(order: BookedOrder): boolean {
  return shownAt(order, Infinity)?.status === 'open';
}

/** The asset that an order gives, and its amount for the whole volume. */
function needOf({ side, volume, price }: OrderTerms): { asset: string; amount: Amount } {
  return side === 'sell' ? { asset: BASE, amount: volume } : { asset: QUOTE, amount: volume.times(price ?? PRICE) };
}

/** Returns how the executed part of an order has changed the holdings of an asset. */
function effectOn(asset: string, { order, executed }: ShownOrder): Amount {
  const moved = asset === BASE ? executed : executed.times(order.price ?? PRICE);
  const isGiven = (order.side === 'sell') === (asset === BASE);
  return isGiven ? Amount.zero.minus(moved) : moved;
}

function heldBy(asset: string, { order, executed, status }: ShownOrder): Amount {
  const need = needOf({ ...order, volume: order.volume.minus(executed) });
  return status === 'open' && need.asset === asset ? need.amount : Amount.zero;
}

/** The outcome of a refusal that does not show whether the exchange accepted an earlier copy of the request. */
function notUnderstood(rawCode: string): OrderOutcome {
  return { kind: 'unknown', reason: rawCode, answer: { error: [rawCode] } };
}

function fundsRefused(): OrderOutcome {
  const rawCode = 'EOrder:Insufficient funds';
  const answer = { error: [rawCode] };
  return { kind: 'rejected', code: 'GENERIC_INVALID_REQUEST', rawCode, reason: 'insufficient_balance', answer };
}
