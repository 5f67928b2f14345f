import {
  ExchangeError,
  UNREPORTED_KEY_INFO,
  type ExchangeOrder,
  type ExchangeSession,
  type OrderOutcome,
  type PreparedOrder,
  type TradingCapability,
} from '#exchange';
import { Amount } from '#money';
import { assertOutsideTransaction } from '#platform/database';
import { timeOfDay, type Process, type SimulatedClock } from '../world/process.js';
import type { Random } from '../world/random.js';
import type { Scheduler } from '../world/scheduler.js';
import type { OrderTerms, ShownOrder } from './order-book.js';
import { orderDeliveryOf, type OrderDelivery } from './order-deliveries.js';
import { accountOf, PRICE, type OrderArrival, type OrderExchange } from './order-exchange.js';
import type { OrderView } from './order-faults.js';

/** Longest time until the response to a read. */
const READ_MAX_MS = 2_000;

export interface OrderSessionParts {
  /** The API key that requests are signed with. */
  key: string;
  exchange: OrderExchange;
  scheduler: Scheduler;
  random: Random;
  process: Process;
  clock: SimulatedClock;
  newClientOrderId: () => string;
  /** Called when the client order id of an order is made. */
  onNamed: (clientOrderId: string) => void;
  /** Called when an order is written to the exchange. @returns the current step of the run. */
  onWritten: (clientOrderId: string) => number;
  onEvent: (event: string) => void;
}

/** The exchange session of one simulated process. It returns the same kinds of outcomes as a real connector. */
export class OrderSession implements Pick<ExchangeSession, 'balances' | 'keyInfo' | 'trading'> {
  readonly exchange = 'kraken';
  readonly connectorVersion = 'simulated 1';
  readonly asksInParallel = true;
  readonly trading: TradingCapability;
  private readonly terms = new Map<string, OrderTerms>();

  constructor(private readonly parts: OrderSessionParts) {
    const { exchange, clock } = parts;
    const { deadlineMs, isFundsRefusalDefinite } = exchange.traits;
    this.trading = {
      isFundsRefusalDefinite,
      signedForMs: exchange.traits.signedForMs,
      newClientOrderId: (name) => this.named(name === undefined ? parts.newClientOrderId() : `of ${name}`),
      prepare: ({ exchangeSymbol: pair, side, type, volume, price, clientOrderId }) => {
        this.terms.set(clientOrderId, { clientOrderId, pair, side, type, volume, price });
        const submissionDeadline = deadlineMs === null ? null : new Date(clock.now().getTime() + deadlineMs);
        const request = { pair, type: side, ordertype: type, volume: volume.toString(), cl_ord_id: clientOrderId };
        return { request, submissionDeadline };
      },
      place: (prepared, options) => this.place(prepared, options),
      find: ({ clientOrderId, isProofNeeded = true }) => this.find(clientOrderId, isProofNeeded),
      read: async ({ exchangeId }) => {
        const found = await this.shown('by_id', ({ order }) => order.exchangeId === exchangeId);
        if (found !== null) return reported(found);
        throw new ExchangeError('refused', 'kraken', 'no such order', { code: 'TRADING_ORDER_NOT_FOUND' });
      },
      judgeMissing: () => this.read('judgeMissing', () => 'may_be_late' as const),
    };
  }

  assetNames(): Promise<never> {
    return Promise.reject(new Error('the simulation names no assets'));
  }

  balances(): ReturnType<ExchangeSession['balances']> {
    const { exchange, key } = this.parts;
    return this.read('balances', () => exchange.balances(key, exchange.moment('balances')));
  }

  keyInfo(): ReturnType<ExchangeSession['keyInfo']> {
    return this.read('keyInfo', () => ({ ...UNREPORTED_KEY_INFO }));
  }

  private named(clientOrderId: string): string {
    this.parts.onNamed(clientOrderId);
    return clientOrderId;
  }

  /** Searches by the client order id; as a proof also in the lists of open and of ended orders. */
  private async find(clientOrderId: string, isProofNeeded: boolean): Promise<ExchangeOrder | null> {
    const isSought = ({ order }: ShownOrder): boolean => order.clientOrderId === clientOrderId;
    const views: OrderView[] = isProofNeeded ? ['by_client_id', 'open', 'ended'] : ['by_client_id'];
    for (const view of views) {
      const found = await this.shown(view, (shown) => isSought(shown) && this.isListedIn(view, shown));
      if (found !== null) return reported(found);
    }
    return null;
  }

  private isListedIn(view: OrderView, { status }: ShownOrder): boolean {
    const isOpenOnly = view === 'by_client_id' && this.parts.exchange.traits.idSearch === 'open';
    if (view === 'open' || isOpenOnly) return status === 'open';
    return view !== 'ended' || status !== 'open';
  }

  private shown(view: OrderView, isSought: (shown: ShownOrder) => boolean): Promise<ShownOrder | null> {
    const { exchange, key } = this.parts;
    return this.read(
      view,
      () => exchange.book.shownAt(accountOf(key), exchange.moment(view)).find((shown) => isSought(shown)) ?? null,
    );
  }

  /** Reads from the exchange. The read may fail. */
  private read<T>(name: string, act: () => T): Promise<T> {
    assertOutsideTransaction(`asking an exchange (${name})`);
    const { exchange, scheduler, random, process } = this.parts;
    const answer = (): T => {
      if (exchange.failsRead()) throw new ExchangeError('unavailable', 'kraken', 'no answer');
      return act();
    };
    return new Promise((resolve) => {
      const run = (): void => {
        // An error must reject the promise of the calling process, and not be thrown in the scheduler's step.
        const answered = new Promise<T>((give) => give(answer()));
        answered.catch(() => undefined);
        if (process.isAlive) resolve(answered);
      };
      const wait = random.chance(0.5) ? 0 : random.between(0, READ_MAX_MS);
      scheduler.add({ owner: process, label: `exchange.${name}`, kind: 'exchange', in: wait, run });
    });
  }

  private place(prepared: PreparedOrder, { beforeSend }: { beforeSend: () => void }): Promise<OrderOutcome> {
    assertOutsideTransaction('an order to an exchange');
    const { scheduler, process } = this.parts;
    return new Promise((resolve) => {
      const answered = (outcome: OrderOutcome): void => {
        if (process.isAlive) resolve(outcome);
      };
      const run = (): void => this.write(prepared, beforeSend, answered);
      scheduler.add({ owner: process, label: 'exchange.submit', kind: 'exchange', run });
    });
  }

  private write(
    { request, submissionDeadline }: PreparedOrder,
    beforeSend: () => void,
    answered: (outcome: OrderOutcome) => void,
  ): void {
    const { exchange, random, onWritten, onEvent, key } = this.parts;
    const clientOrderId = request['cl_ord_id'] ?? '';
    const terms = this.terms.get(clientOrderId);
    if (terms === undefined) throw new Error('an order was placed that this session has not prepared');
    const fault = exchange.fault();
    if (fault === 'refused_connection') return answered({ kind: 'not_sent', reason: 'connection refused' });
    if (fault === 'own_limit') return answered({ kind: 'not_sent', reason: 'own limit', retryAfterMs: 5_000 });
    try {
      beforeSend();
    } catch (error) {
      return answered({ kind: 'not_sent', reason: String(error) });
    }
    const sentInStep = onWritten(clientOrderId);
    const windowMs = submissionDeadline === null ? null : submissionDeadline.getTime() - exchange.now().getTime();
    onEvent(`order ${clientOrderId} meets ${fault ?? 'no fault'}`);
    const arrival = { key, terms, submissionDeadline, sentInStep };
    this.deliver(arrival, orderDeliveryOf(fault, random, windowMs), answered);
  }

  private deliver(
    arrival: OrderArrival,
    { actAfter, isRefused, againAfter, isSecondRefused, answerAfter, answer, wrongId }: OrderDelivery,
    answered: (outcome: OrderOutcome) => void,
  ): void {
    const { exchange } = this.parts;
    if (typeof answer !== 'string') this.answerIn(answerAfter, answer, answered);
    if (actAfter === null) return;
    exchange.later(actAfter, 'acts', () => {
      const outcome = this.act(arrival, isRefused);
      if (answer === 'acted') this.answerIn(answerAfter, withId(outcome, wrongId), answered);
      if (againAfter === null) return;
      exchange.later(againAfter, 'acts again', () => {
        const second = this.act(arrival, isSecondRefused);
        if (answer === 'again') this.answerIn(answerAfter, second, answered);
      });
    });
  }

  private act(arrival: OrderArrival, isRefused: boolean): OrderOutcome {
    const outcome = this.parts.exchange.act(arrival, isRefused);
    this.parts.onEvent(`exchange acts: ${outcome.kind}`);
    return outcome;
  }

  private answerIn(ms: number, outcome: OrderOutcome, answered: (outcome: OrderOutcome) => void): void {
    const { scheduler, process } = this.parts;
    const run = (): void => answered(outcome);
    scheduler.add({ owner: process, label: 'exchange.answer', kind: 'exchange', in: ms, run });
  }
}

function withId(outcome: OrderOutcome, wrongId: string | null): OrderOutcome {
  return wrongId === null || outcome.kind !== 'accepted' ? outcome : { ...outcome, exchangeIds: [wrongId] };
}

function reported({ order, status, executed, endedAt }: ShownOrder): ExchangeOrder {
  const { exchangeId, clientOrderId, volume, price, pair, side, type, bookedAt } = order;
  return {
    exchangeId,
    clientOrderId,
    status,
    rawStatus: status,
    volume,
    limitPrice: price,
    executedVolume: executed,
    cost: executed.times(price ?? PRICE),
    averagePrice: executed.isZero() ? Amount.zero : (price ?? PRICE),
    fees: [],
    openedAt: timeOfDay(bookedAt, 0),
    closedAt: endedAt === null ? null : timeOfDay(endedAt, 0),
    description: { pair, side, type },
    raw: { exchangeId, status },
  };
}
