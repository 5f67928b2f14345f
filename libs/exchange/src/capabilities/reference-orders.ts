import { createHash, randomBytes } from 'node:crypto';
import type { Amount } from '#money';
import { DAY_MS } from '#platform/clock';
import type { ExchangeClient, Endpoint } from '../client/exchange-client.js';
import { ExchangeError } from '../port/exchange-error.js';
import type { SubmitOptions } from '../port/exchange.port.js';
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
} from '../port/trading.port.js';
import { asOrder, type OrderReceipt } from '../submission/order-outcome.js';
import type { Acceptance } from '../submission/submit-evidence.js';
import type { ErrorMap } from '../transport/error-map.js';
import { OrderTooOld, UnusableResponse } from '../transport/failed-read.js';
import { withTrades, type OrderTrade } from './order-form.js';

/** Length of a client order id in bytes. Most exchanges accept the id as 32 characters of `0-9a-f`. */
const ID_BYTES = 16;

/**
 * A search for an order proves nothing from this long before `forgetsAfterMs`, because the search takes time. An order
 * that is not found has been forgotten from this long after `forgetsAfterMs`, because clocks differ.
 */
const FORGETTING_MARGIN_MS = 60_000;
/**
 * `forgetsAfterMs` of an exchange that does not document it. The shortest time for which an exchange documents that it
 * lists executed orders is a week. With the default of IDEMPOTENCY_TTL_SECONDS, two days are enough to search for an
 * order with an `Idempotency-Key` after a restore.
 */
export const UNDOCUMENTED_MS = 2 * DAY_MS;

const NOT_FOUND = 'TRADING_ORDER_NOT_FOUND';

/** How an exchange accepts orders that carry our client order id. */
export interface OrdersDeclaration {
  readonly endpoint: Endpoint;
  /**
   * How a response shows that the exchange accepted the order, and where it contains the exchange's id of the order.
   */
  readonly acceptance: Acceptance<string>;
  /** The meanings of errors of new orders. */
  readonly errors: ErrorMap;
  /** The parameters of an order. @throws ExchangeError */
  readonly request: (instruction: OrderInstruction) => Record<string, string>;
  /** The exchange refuses a repeated client order id before it checks the balance. */
  readonly isFundsRefusalDefinite?: true;
  /** The exchange promises not to create the order after `submissionDeadline`, which the request states. */
  readonly keepsDeadline?: true;
  /**
   * The exchange refuses a request that arrives this long after the time in its signature. The declaration names the
   * page that documents it.
   */
  readonly signedForMs: number;
  /** Reads parameters that only the exchange knows, before the submission; absent = none. @throws ExchangeError */
  readonly beforePlacing?: () => Promise<Record<string, string>>;
  /**
   * The order with our client order id. null = the response contains no order. Instead, the exchange may report a
   * missing order by an error whose meaning has the code TRADING_ORDER_NOT_FOUND. @throws ExchangeError
   */
  readonly byReference: (sought: SoughtOrder) => Promise<ExchangeOrder | null>;
  /** The order with the exchange's id; null and errors as for `byReference`. */
  readonly byId: (order: TakenOrder) => Promise<ExchangeOrder | null>;
  /** Reads an order's trades, oldest first, if the order itself lacks its cost and fee. @throws ExchangeError */
  readonly trades?: (order: ExchangeOrder) => Promise<readonly OrderTrade[]>;
  /**
   * Converts 32 characters of `0-9a-f` to a client order id in the exchange's format; absent = the characters are the
   * id.
   */
  readonly toClientOrderId?: (hex: string) => string;
  /**
   * The exchange may no longer list an order that was sent earlier than this; absent = UNDOCUMENTED_MS, because the
   * documentation does not say for how long orders can be read. A search that does not find such an order proves
   * nothing. An order that `byId` does not find, and that the exchange has shown as open longer ago than this, has
   * ended.
   */
  readonly forgetsAfterMs?: number;
  /**
   * Whether an order that `byId` does not find was executed after `seenAt`; null = not certain. Absent = it is never
   * certain. @throws ExchangeError
   */
  readonly wasExecuted?: (order: MissingOrder) => Promise<boolean | null>;
}

/**
 * The price of a limit order. Used for exchanges at which a market order to buy states its cost: our orders state a
 * volume, so only limit orders are possible there.
 * @throws ExchangeError for a market order
 */
export function limitPriceOf(exchange: string, { type, price }: OrderInstruction): Amount {
  if (type === 'limit' && price !== null) return price;
  throw new ExchangeError('refused', exchange, 'only limit orders are possible at this exchange: send a price', {
    code: 'TRADING_ORDER_TYPE_NOT_SUPPORTED',
    reason: 'limit_only',
  });
}

/** Spot orders at an exchange that can be searched for one order by our client order id. */
export class ReferenceOrders implements TradingCapability {
  readonly isFundsRefusalDefinite: boolean;
  readonly signedForMs: number;
  private readonly placing: ExchangeClient;

  constructor(
    private readonly client: ExchangeClient,
    private readonly declared: OrdersDeclaration,
  ) {
    this.isFundsRefusalDefinite = declared.isFundsRefusalDefinite === true;
    this.signedForMs = declared.signedForMs;
    this.placing = client.withErrors(declared.errors);
  }

  newClientOrderId(name?: string): string {
    const bytes = name === undefined ? randomBytes(ID_BYTES) : hashOf(`client order id ${name}`).subarray(0, ID_BYTES);
    const hex = bytes.toString('hex');
    return this.declared.toClientOrderId?.(hex) ?? hex;
  }

  prepare(instruction: OrderInstruction): PreparedOrder {
    const { request, keepsDeadline } = this.declared;
    const submissionDeadline = keepsDeadline === true ? instruction.submissionDeadline : null;
    return { request: request(instruction), submissionDeadline };
  }

  async place({ request }: PreparedOrder, { beforeSend }: Pick<SubmitOptions, 'beforeSend'>): Promise<OrderOutcome> {
    const { endpoint, acceptance, beforePlacing } = this.declared;
    let more: Record<string, string> = {};
    try {
      if (beforePlacing !== undefined) more = await beforePlacing();
    } catch (error) {
      if (error instanceof ExchangeError) return { kind: 'not_sent', reason: error.message };
      throw error;
    }
    const readId = (body: unknown): OrderReceipt | null => {
      const id = acceptance.readId(body);
      return id === null ? null : { exchangeIds: [id], description: null };
    };
    const submission = asOrder({ statuses: acceptance.statuses, readId });
    return this.placing.submit(endpoint, { ...request, ...more }, submission, { beforeSend });
  }

  async find(sought: SoughtOrder): Promise<ExchangeOrder | null> {
    const order = await this.declared.byReference(sought).catch(nullIfNotFound);
    if (order !== null) {
      if (order.clientOrderId === sought.clientOrderId) return this.executed(order);
      throw new UnusableResponse(this.client.exchange, 'the response contains another order than the requested one');
    }
    const { isProofNeeded = true, notBefore } = sought;
    const ageMs = this.client.clock.now().getTime() - notBefore.getTime();
    const { forgetsAfterMs = UNDOCUMENTED_MS } = this.declared;
    if (!isProofNeeded || ageMs < forgetsAfterMs - FORGETTING_MARGIN_MS) return null;
    throw new OrderTooOld(this.client.exchange);
  }

  async read(order: TakenOrder): Promise<ExchangeOrder> {
    const { exchange } = this.client;
    const found = await this.declared.byId(order);
    if (found === null)
      throw new ExchangeError('refused', exchange, 'the exchange has no order with this id', { code: NOT_FOUND });
    if (found.exchangeId === order.exchangeId) return this.executed(found);
    throw new UnusableResponse(exchange, 'the response contains another order than the requested one');
  }

  async judgeMissing(order: MissingOrder): Promise<MissingOrderFate> {
    const { forgetsAfterMs = UNDOCUMENTED_MS, wasExecuted } = this.declared;
    const agoMs = this.client.clock.now().getTime() - order.seenAt.getTime();
    if (agoMs < forgetsAfterMs + FORGETTING_MARGIN_MS) return 'may_be_late';
    return (await wasExecuted?.(order)) === false ? 'not_executed' : 'ended';
  }

  private async executed(order: ExchangeOrder): Promise<ExchangeOrder> {
    const { trades: read } = this.declared;
    if (read === undefined || order.executedVolume.isZero()) return order;
    const complete = withTrades(order, await read(order), await this.client.codes());
    if (complete !== null) return complete;
    throw new UnusableResponse(this.client.exchange, 'the trades of an order do not add up to its executed volume');
  }
}

/** Converts the error of a missing order to null. Throws every other error. */
export function nullIfNotFound(error: unknown): null {
  if (error instanceof ExchangeError && error.code === NOT_FOUND) return null;
  throw error;
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
