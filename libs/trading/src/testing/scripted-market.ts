import {
  ExchangeError,
  OrderTooOld,
  type AssetBalance,
  type Exchanges,
  type ExchangeOrder,
  type ExchangeSession,
  type KeyInfo,
  type MissingOrderFate,
  type OrderOutcome,
  type OrderStatus,
  type PreparedOrder,
  type TradingCapability,
} from '#exchange';
import { Amount } from '#money';
import type { ManualClock } from '#platform/testing';
import { assertOutsideTransaction } from '#platform/database';
import type { ErrorCode } from '#platform/errors';

/** The outcomes of the next orders, one entry for each order. Orders after the last entry are accepted. */
export type PlaceScript =
  | 'accept'
  /** The exchange accepts the order, but the connection breaks before the response. */
  | 'answer_lost'
  /** The connection breaks before the exchange has acted. */
  | 'request_lost'
  /** There is no response, and the request takes effect when the test calls `deliver`. */
  | 'request_late'
  /** The exchange definitely refuses the order. */
  | 'refuse'
  /** The pair takes no orders now. */
  | 'refuse_route'
  /** The exchange accepts the order, and responds with a definite refusal. */
  | 'accept_and_refuse'
  /** Like `accept_and_refuse`; the order is filled at once. */
  | 'fill_and_refuse'
  /** The exchange accepts the order, and responds that it does not know the API key. */
  | 'accept_and_refuse_key'
  /** Nothing is sent. */
  | 'not_sent'
  /** Nothing is sent, because a pause that the exchange demanded lasts for 47.5 seconds more. */
  | 'paused'
  /** The process dies before it has sent anything, or after the exchange has acted. The call never ends. */
  | 'die_before'
  | 'die_after'
  /** The connector breaks its contract and throws. */
  | 'throw_after_send';

const UNSENT: Partial<Record<PlaceScript, OrderOutcome>> = {
  not_sent: { kind: 'not_sent', reason: 'connection refused' },
  paused: { kind: 'not_sent', reason: 'own limit', retryAfterMs: 47_500 },
};

const LOST: OrderOutcome = { kind: 'unknown', reason: 'connection reset', answer: {} };
const ROUTE_REFUSED = rejected('EService:Market in cancel_only mode', 'TRADING_ROUTE_UNAVAILABLE');

/** The outcome of each submission that places no order. */
const ANSWERS_WITHOUT_ORDER: Partial<Record<PlaceScript, OrderOutcome>> = {
  refuse: rejected('EOrder:Insufficient funds', 'GENERIC_INVALID_REQUEST', 'insufficient_balance'),
  refuse_route: ROUTE_REFUSED,
  request_late: LOST,
  request_lost: LOST,
};

/** The false outcome of each submission that places an order. */
const ANSWERS_TO_ORDERS: Partial<Record<PlaceScript, OrderOutcome>> = {
  fill_and_refuse: ROUTE_REFUSED,
  accept_and_refuse: ROUTE_REFUSED,
  accept_and_refuse_key: { kind: 'unknown', reason: 'EAPI:Invalid key', answer: {} },
  answer_lost: LOST,
};

/** Statuses by their raw names at the exchange. */
const STATUSES: Record<string, OrderStatus> = {
  pending: 'open',
  open: 'open',
  closed: 'filled',
  canceled: 'canceled',
  expired: 'expired',
};

/** An exchange inside the test. Its list of orders is the source of truth. */
export class ScriptedMarket implements Pick<Exchanges, 'open' | 'openFresh' | 'find' | 'specs'> {
  /** Every order that the exchange has accepted. */
  readonly orders: ExchangeOrder[] = [];
  script: PlaceScript[] = [];
  /** Number of requests that were sent. */
  sent = 0;
  isDown = false;
  /** Every read awaits this hook before it returns an order. */
  onRead: () => void | Promise<void> = () => undefined;
  hasTrading = true;
  isFundsRefusalDefinite = true;
  /** Returns the free amounts of the account. */
  free: () => Record<string, string> = () => ({ BTC: '1000', USD: '100000000' });
  /** Amounts of the account that its open orders use. */
  used: Record<string, string> = {};
  /** The age from which an order may be missing from searches. */
  forgetsAfterMs = Infinity;
  /** What the exchange's lists prove about an accepted order that a read does not find. */
  missing: MissingOrderFate = 'may_be_late';
  /** The time of the last sight of the order that was last judged as missing. */
  judgedSince: Date | null = null;
  /** The id with which the exchange answers every accepted order; null = the right one. */
  wrongId: string | null = null;
  /** How long an order is missing from searches after it was made. */
  lagMs = 0;
  /** For how long the exchange accepts a signed request. */
  signedForMs: number | null = null;
  /** Whether the exchange refuses requests after their submission deadline. */
  hasDeadline = true;
  keyInfo: () => KeyInfo = () => {
    throw new ExchangeError('credentials_invalid', 'kraken', 'scripted');
  };
  /** Called before each attempt to send an order. */
  beforePlace: () => void = () => undefined;
  /** Every submission awaits this hook after the order has arrived. */
  onPlace: () => void | Promise<void> = () => undefined;
  /** Called when the process dies. The submission that it was making never returns. */
  onDeath: () => void = () => undefined;
  /** Number of searches and reads. */
  reads = 0;
  /** Number of searches with `isProofNeeded`. */
  proofs = 0;
  private readonly late: { prepared: PreparedOrder; signedAt: number }[] = [];
  private clientOrders = 0;

  constructor(private readonly clock: ManualClock) {}

  specs(): [] {
    return [];
  }

  find(): null {
    return null;
  }

  openFresh(): Promise<ExchangeSession> {
    return this.open();
  }

  open(): Promise<ExchangeSession> {
    assertOutsideTransaction('opening a session');
    return Promise.resolve({
      exchange: 'kraken',
      connectorVersion: 'scripted 1',
      asksInParallel: false,
      balances: () => Promise.resolve().then(() => balancesOf(this.free(), this.used)),
      assetNames: () => Promise.reject(new Error('this test exchange names no assets')),
      keyInfo: () => Promise.resolve().then(() => this.keyInfo()),
      trading: this.hasTrading ? this.trading() : undefined,
    });
  }

  /** Returns the orders at the exchange that have the given client order id. */
  of({ clientOrderId }: { clientOrderId: string }): ExchangeOrder[] {
    return this.orders.filter((order) => order.clientOrderId === clientOrderId);
  }

  /** Returns the only order at the exchange that has the given client order id. */
  only(order: { clientOrderId: string }): ExchangeOrder {
    const [made, ...others] = this.of(order);
    if (made === undefined || others.length > 0)
      throw new Error('the exchange does not have exactly one order with this client order id');
    return made;
  }

  /** Changes an order at the exchange, for later reads. */
  change(order: ExchangeOrder, rawStatus: string, executed?: string): void {
    const executedVolume = executed === undefined ? order.executedVolume : Amount.of(executed);
    const status = STATUSES[rawStatus] ?? 'unknown';
    const cost = executedVolume.times(Amount.of('20000'));
    const isOver = status !== 'open' && status !== 'unknown';
    Object.assign(order, {
      status,
      rawStatus,
      executedVolume,
      cost,
      averagePrice: executedVolume.isZero() ? Amount.zero : Amount.of('20000'),
      closedAt: isOver ? this.clock.trueNow() : null,
      raw: { ...order.raw, status: rawStatus, vol_exec: executedVolume.toString() },
    });
  }

  /** Delivers delayed requests, unless their submission deadline or their signature has expired. */
  deliver(): void {
    for (const { prepared, signedAt } of this.late.splice(0)) {
      const { request } = prepared;
      if (this.signedForMs !== null && this.clock.trueNow().getTime() - signedAt > this.signedForMs) continue;
      if (this.hasDeadline && this.clock.trueNow() > new Date(request['deadline'] ?? 0)) continue;
      this.make(request);
    }
  }

  private trading(): TradingCapability {
    return {
      isFundsRefusalDefinite: this.isFundsRefusalDefinite,
      signedForMs: this.signedForMs,
      newClientOrderId: (name) => name ?? `client-${++this.clientOrders}`,
      prepare: ({ exchangeSymbol, side, type, volume, price, clientOrderId, submissionDeadline }) => ({
        request: {
          pair: exchangeSymbol,
          type: side,
          ordertype: type,
          volume: volume.toString(),
          cl_ord_id: clientOrderId,
          ...(price !== null && { price: price.toString() }),
          deadline: submissionDeadline.toISOString(),
        },
        submissionDeadline: this.hasDeadline ? submissionDeadline : null,
      }),
      place: (prepared, { beforeSend }) => this.place(prepared, beforeSend),
      find: async ({ clientOrderId, request, notBefore, isProofNeeded = true }) => {
        if (request['cl_ord_id'] !== clientOrderId) throw new Error('the request has another client order id');
        if (isProofNeeded) this.proofs += 1;
        const isForgotten = this.clock.trueNow().getTime() - notBefore.getTime() >= this.forgetsAfterMs;
        // Open orders are listed whatever their age.
        const isListed = ({ status, openedAt }: ExchangeOrder): boolean => {
          const madeAt = (openedAt ?? notBefore).getTime();
          if (this.clock.trueNow().getTime() - madeAt < this.lagMs) return false;
          return status === 'open' || madeAt >= notBefore.getTime();
        };
        const found = await this.read(() => this.of({ clientOrderId }).find(isListed) ?? null);
        if (found === null && isProofNeeded && isForgotten) throw new OrderTooOld('kraken');
        return found;
      },
      judgeMissing: ({ seenAt }) => {
        this.judgedSince = seenAt;
        return this.read(() => null).then(() => this.missing);
      },
      read: ({ exchangeId, request }) =>
        this.read(() => {
          const found = this.orders.find((order) => order.exchangeId === exchangeId);
          if (this.wrongId === null && found !== undefined && request['cl_ord_id'] !== found.clientOrderId)
            throw new Error('the request belongs to another order');
          if (found !== undefined) return found;
          throw new ExchangeError('refused', 'kraken', 'no such order', { code: 'TRADING_ORDER_NOT_FOUND' });
        }),
    };
  }

  private async read<T extends ExchangeOrder | null>(answer: () => T): Promise<T> {
    assertOutsideTransaction('calling an exchange');
    this.reads += 1;
    await this.onRead();
    if (this.isDown) throw new ExchangeError('unavailable', 'kraken', 'scripted outage');
    const found = answer();
    return found === null ? found : { ...found };
  }

  private async place(prepared: PreparedOrder, beforeSend: () => void): Promise<OrderOutcome> {
    assertOutsideTransaction('calling an exchange');
    const script = this.script.shift() ?? 'accept';
    if (script === 'die_before') await this.die();
    this.beforePlace();
    const unsent = UNSENT[script];
    if (unsent !== undefined) return unsent;
    try {
      beforeSend();
    } catch {
      return { kind: 'not_sent', reason: 'too late' };
    }
    this.sent += 1;
    await this.onPlace();
    if (script === 'request_late') this.late.push({ prepared, signedAt: this.clock.trueNow().getTime() });
    const answerWithoutOrder = ANSWERS_WITHOUT_ORDER[script];
    if (answerWithoutOrder !== undefined) return answerWithoutOrder;
    const made = this.make(prepared.request);
    const exchangeId = this.wrongId ?? made.exchangeId;
    if (script === 'fill_and_refuse') this.change(made, 'closed', made.volume.toString());
    const lie = ANSWERS_TO_ORDERS[script];
    if (lie !== undefined) return lie;
    if (script === 'throw_after_send') throw new Error('a connector must not do this');
    if (script === 'die_after') await this.die();
    const answer = { status: 200, body: { txid: [exchangeId], text: 'NUL \0, half \ud800' } };
    return { kind: 'accepted', exchangeIds: [exchangeId], description: `order \0${exchangeId}`, answer };
  }

  private die(): Promise<never> {
    this.onDeath();
    return new Promise(() => undefined);
  }

  private make({
    pair = '',
    type: side = '',
    ordertype: type = '',
    volume = '',
    price,
    cl_ord_id = '',
  }: Record<string, string>) {
    const exchangeId = `X${this.orders.length + 1}`;
    const order: ExchangeOrder = {
      exchangeId,
      clientOrderId: cl_ord_id,
      status: 'open',
      rawStatus: 'open',
      volume: Amount.of(volume),
      limitPrice: price === undefined ? null : Amount.of(price),
      executedVolume: Amount.zero,
      cost: Amount.zero,
      averagePrice: Amount.zero,
      fees: [],
      openedAt: this.clock.trueNow(),
      closedAt: null,
      description: { pair, side, type },
      raw: { status: 'open', cl_ord_id },
    };
    this.orders.push(order);
    return order;
  }
}

function balancesOf(free: Record<string, string>, inUse: Record<string, string>): AssetBalance[] {
  return Object.entries(free).map(([asset, text]) => {
    const [amount, used] = [Amount.of(text), Amount.of(inUse[asset] ?? '0')];
    return { asset, free: amount, used, total: amount.plus(used) };
  });
}

function rejected(rawCode: string, code: ErrorCode, reason?: string): OrderOutcome {
  return { kind: 'rejected', code, rawCode, reason, answer: { status: 200, body: { error: [rawCode] } } };
}
