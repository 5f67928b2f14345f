import { randomUUID } from 'node:crypto';
import { v5 } from 'uuid';
import { totalFees } from '../../capabilities/order-fees.js';
import { withoutContradiction } from '../../capabilities/order-form.js';
import { UNDOCUMENTED_MS } from '../../capabilities/reference-orders.js';
import type { ExchangeClient } from '../../client/exchange-client.js';
import { lookUp } from '../../declaration/look-up.js';
import type { ExchangeError } from '../../port/exchange-error.js';
import type { SubmitOptions } from '../../port/exchange.port.js';
import type {
  ExchangeOrder,
  MissingOrder,
  MissingOrderFate,
  OrderInstruction,
  OrderOutcome,
  OrderStatus,
  PreparedOrder,
  SoughtOrder,
  TakenOrder,
  TradingCapability,
} from '../../port/trading.port.js';
import { asOrder } from '../../submission/order-outcome.js';
import { Cached } from '../../transport/cached.js';
import { UnusableResponse } from '../../transport/failed-read.js';
import { krakenOrderErrors, krakenOrderReadErrors } from './kraken-errors.js';
import { GET_API_KEY_INFO, privateCall, requireNoNonceWindow } from './kraken-key.js';
import {
  readClientOrderId,
  readClosedOrders,
  readOpenOrders,
  readOrder,
  readOrders,
  readQueryWindow,
  readReceipt,
  type KrakenOrder,
  type KrakenOrderEntries,
  type QueryWindow,
} from './kraken-responses.js';

const ADD_ORDER = privateCall('AddOrder');
const QUERY_ORDERS = privateCall('QueryOrders');

/** The UUID namespace of the client order ids that `newClientOrderId` derives from a name. */
const CLIENT_ORDER_IDS = '5b1f1f0e-64a5-4f0b-9c55-0c1f1a0f6c52';

const ORDER = asOrder({ statuses: [200], readId: readReceipt });

/** Spot orders of one Kraken account. */
export class KrakenTrading implements TradingCapability {
  /** Kraken refuses a repeated nonce before it checks the balance, if the nonce window is 0 (`requireSafeKey`). */
  readonly isFundsRefusalDefinite = true;
  /** Every order has a submission deadline instead. */
  readonly signedForMs = null;
  private readonly placing: ExchangeClient;
  private readonly reading: ExchangeClient;
  private readonly queryWindow: ReturnType<typeof queryWindowOf>;

  constructor(client: ExchangeClient) {
    this.placing = client.withErrors(krakenOrderErrors);
    this.reading = client.withErrors(krakenOrderReadErrors);
    this.queryWindow = queryWindowOf(this.reading);
  }

  newClientOrderId(name?: string): string {
    return name === undefined ? randomUUID() : v5(name, CLIENT_ORDER_IDS);
  }

  requireSafeKey(): Promise<void> {
    return requireNoNonceWindow(this.reading);
  }

  prepare({
    exchangeSymbol,
    side,
    type,
    volume,
    price,
    clientOrderId,
    submissionDeadline,
  }: OrderInstruction): PreparedOrder {
    // Kraken documents whole seconds. Rounding down keeps the deadline at or before the requested one.
    const deadline = new Date(Math.floor(submissionDeadline.getTime() / 1000) * 1000);
    return {
      request: {
        pair: exchangeSymbol,
        type: side,
        ordertype: type,
        volume: volume.toString(),
        ...(price !== null && { price: price.toString() }),
        // The fee is charged in the quote asset, so that exactly the volume is bought or sold.
        oflags: 'fciq',
        cl_ord_id: clientOrderId,
        deadline: deadline.toISOString().replace('.000Z', 'Z'),
      },
      submissionDeadline: deadline,
    };
  }

  place({ request }: PreparedOrder, { beforeSend }: Pick<SubmitOptions, 'beforeSend'>): Promise<OrderOutcome> {
    return this.placing.submit(ADD_ORDER, request, ORDER, { beforeSend });
  }

  find({ clientOrderId, notBefore, isProofNeeded = true }: SoughtOrder): Promise<ExchangeOrder | null> {
    return new KrakenOrderSearch(this.reading, clientOrderId, notBefore).run(
      isProofNeeded ? this.queryWindow : undefined,
    );
  }

  async read({ exchangeId }: Pick<TakenOrder, 'exchangeId'>): Promise<ExchangeOrder> {
    const orders = await this.reading.call(QUERY_ORDERS, { txid: exchangeId }, readOrders);
    const entry = Object.hasOwn(orders, exchangeId) ? orders[exchangeId] : undefined;
    const order = entry === undefined ? null : toOrder(exchangeId, entry);
    if (order !== null) return order;
    // Only Kraken's "unknown order" proves that there is no order: a key may not be allowed to read all orders.
    throw new UnusableResponse(this.reading.exchange, 'the response does not contain the order');
  }

  /** Kraken does not document for how long it finds an order that has ended. */
  judgeMissing({ seenAt }: MissingOrder): Promise<MissingOrderFate> {
    const agoMs = this.reading.clock.now().getTime() - seenAt.getTime();
    return Promise.resolve(agoMs < UNDOCUMENTED_MS ? 'may_be_late' : 'ended');
  }
}

const OPEN_ORDERS = privateCall('OpenOrders');
const CLOSED_ORDERS = privateCall('ClosedOrders');

/** Maximum number of pages of ClosedOrders that one search reads. */
const PAGES_MAX = 20;

/**
 * How long we cache Kraken's report of the period for which a key may read data. The period changes only when the owner
 * edits the key at Kraken, and each call counts towards the account's rate limit.
 */
const WINDOW_TTL_MS = 300_000;

/** A `pending` order is about to enter the book and may still be executed. */
const statuses: Readonly<Record<string, OrderStatus>> = {
  pending: 'open',
  open: 'open',
  closed: 'filled',
  canceled: 'canceled',
  expired: 'expired',
};

/** Converts one of Kraken's orders; null = it is unreadable, or contradicts itself. */
function toOrder(exchangeId: string, entry: Record<string, unknown>): ExchangeOrder | null {
  const order = readOrder(entry);
  if (order === null) return null;
  try {
    return withoutContradiction(converted(exchangeId, order, entry));
  } catch {
    return null;
  }
}

function converted(exchangeId: string, order: KrakenOrder, entry: Record<string, unknown>): ExchangeOrder {
  const { pair, type: side, ordertype: type, price } = order.descr;
  return {
    exchangeId,
    clientOrderId: order.cl_ord_id,
    status: lookUp(statuses, order.status) ?? 'unknown',
    rawStatus: order.status,
    volume: order.vol,
    // Zero is the price of a market order.
    limitPrice: price?.isZero() === true ? null : price,
    executedVolume: order.vol_exec,
    cost: order.cost,
    averagePrice: order.price,
    // `oflags` of every order of ours puts the fee into the quote asset.
    fees: order.fee === null ? null : totalFees([{ asset: null, amount: order.fee }]),
    openedAt: order.opentm,
    closedAt: order.closetm,
    description: { pair, side, type },
    raw: entry,
  };
}

/** The period whose data a key may read. */
export function queryWindowOf(client: ExchangeClient): Cached<QueryWindow> {
  return new Cached(client.clock, WINDOW_TTL_MS, () => client.call(GET_API_KEY_INFO, {}, readQueryWindow));
}

/** Whether the key may read everything from `since` until now. */
export function coversPeriod({ from, to }: QueryWindow, since: Date, now: Date): boolean {
  return (from === null || from <= since) && (to === null || to > now);
}

/** Searches the orders of one Kraken account for the order with our id. */
class KrakenOrderSearch {
  constructor(
    private readonly client: ExchangeClient,
    private readonly clientOrderId: string,
    private readonly notBefore: Date,
  ) {}

  /**
   * Reads open orders first: an order that closes during the search is then found among the closed orders.
   * @param queryWindow the period whose data the key may read; without it, null does not prove that there is no order.
   * @throws ExchangeError when the listing is incomplete.
   */
  async run(queryWindow?: Cached<QueryWindow>): Promise<ExchangeOrder | null> {
    const found = (await this.amongOpen()) ?? (await this.amongClosed());
    if (found !== null || queryWindow === undefined) return found;
    // An order outside this period may exist although the key cannot read it.
    if (coversPeriod(await queryWindow.get(), this.notBefore, this.client.clock.now())) return null;
    throw this.incomplete('the API key may not read all orders of the period');
  }

  private async amongOpen(): Promise<ExchangeOrder | null> {
    return this.ours(await this.client.call(OPEN_ORDERS, { cl_ord_id: this.clientOrderId }, readOpenOrders));
  }

  private async amongClosed(): Promise<ExchangeOrder | null> {
    // Kraken takes `start` in whole seconds and excludes orders of that second.
    const start = String(Math.floor(this.notBefore.getTime() / 1000) - 1);
    let offset = 0;
    for (let pages = 0; pages < PAGES_MAX; pages++) {
      // Kraken documents that it responds "much faster" without a count. An empty page then marks the end.
      const params = { cl_ord_id: this.clientOrderId, start, ofs: String(offset), without_count: 'true' };
      const page = await this.client.call(CLOSED_ORDERS, params, readClosedOrders);
      const length = Object.keys(page).length;
      if (length === 0) return null;
      const found = this.ours(page);
      if (found !== null) return found;
      offset += length;
    }
    throw this.incomplete(`the list of closed orders has more than ${PAGES_MAX} pages`);
  }

  /** Finds our order in a list. If the exchange ignores the requested id, the list contains other orders, too. */
  private ours(entries: KrakenOrderEntries): ExchangeOrder | null {
    let isWhole = true;
    for (const [exchangeId, entry] of Object.entries(entries)) {
      const clientOrderId = readClientOrderId(entry);
      // An order without a readable client order id may be ours.
      if (clientOrderId === null) isWhole = false;
      if (clientOrderId !== this.clientOrderId) continue;
      const order = toOrder(exchangeId, entry);
      if (order !== null) return order;
      throw this.incomplete('our order is unreadable, or contradicts itself');
    }
    if (!isWhole) throw this.incomplete('the list contains an order that has no client order id');
    return null;
  }

  private incomplete(what: string): ExchangeError {
    return new UnusableResponse(this.client.exchange, what);
  }
}
