import { randomUUID } from 'node:crypto';
import { v5 } from 'uuid';
import { UNDOCUMENTED_MS } from '../../../capabilities/reference-orders.js';
import type { ExchangeClient, Endpoint } from '../../../client/exchange-client.js';
import { UnusableResponse } from '../../../transport/failed-read.js';
import type { SubmitOptions } from '../../../port/exchange.port.js';
import { asOrder } from '../../../submission/order-outcome.js';
import type {
  ExchangeOrder,
  MissingOrder,
  MissingOrderFate,
  OrderInstruction,
  OrderOutcome,
  PreparedOrder,
  SoughtOrder,
  TakenOrder,
  TradingCapability,
} from '../../../port/trading.port.js';
import { requireNoNonceWindow } from '../protocol/kraken-key.js';
import { readOrders, readReceipt } from '../protocol/kraken-order-responses.js';
import { krakenOrderErrors, krakenOrderReadErrors } from './kraken-order-errors.js';
import { KrakenOrderSearch, queryWindowOf, toOrder } from './kraken-orders.js';

const ADD_ORDER: Endpoint = { method: 'POST', path: '/0/private/AddOrder' };
const QUERY_ORDERS: Endpoint = { method: 'POST', path: '/0/private/QueryOrders' };

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
