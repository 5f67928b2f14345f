import type { Amount } from '#money';
import type { NotSent, Rejected } from './submission-outcome.js';

export type OrderSide = 'buy' | 'sell';
export type OrderType = 'market' | 'limit';

/** A spot order. */
export interface OrderInstruction {
  /** The exchange's own symbol of the pair (`TradedPair.exchangeSymbol`). */
  exchangeSymbol: string;
  side: OrderSide;
  type: OrderType;
  /** The volume in the base asset. */
  volume: Amount;
  /** The price in the quote asset; null for a market order. */
  price: Amount | null;
  /** Our id of the order, in the exchange's format. No two orders have the same id. */
  clientOrderId: string;
  /** After this moment the exchange must not create the order. */
  submissionDeadline: Date;
}

/** The parameters that `place` will send, without secrets. They are stored before sending. */
export interface PreparedOrder {
  request: Record<string, string>;
  /**
   * The submission deadline: the exchange promises not to create the order after this moment of its own clock, however
   * late the request arrives. null = the exchange makes no such promise.
   */
  submissionDeadline: Date | null;
}

/** The outcome of one submission. It is `unknown` unless the evidence is definite. */
export type OrderOutcome =
  | {
      kind: 'accepted';
      /** At least one id, in the order in which the exchange lists them. */
      exchangeIds: string[];
      /** The exchange's own description of the order; null = it has none. */
      description: string | null;
      answer: Record<string, unknown>;
    }
  | Rejected
  | NotSent
  | { kind: 'unknown'; reason: string; answer: Record<string, unknown> };

export type OrderStatus = 'open' | 'filled' | 'canceled' | 'expired' | 'unknown';

/** An order as the exchange reports it. */
export interface ExchangeOrder {
  exchangeId: string;
  clientOrderId: string | null;
  /** `unknown`: a status that the connector does not know; the order is read again. */
  status: OrderStatus;
  rawStatus: string;
  volume: Amount;
  /** The price of a limit order, in the quote asset; null = not reported, or a market order. */
  limitPrice: Amount | null;
  executedVolume: Amount;
  /** The cost of the executed volume, in the quote asset. */
  cost: Amount;
  /** The average price in the quote asset; zero while nothing is executed. */
  averagePrice: Amount;
  /**
   * The fees so far, one for each asset, in the order in which the exchange reports them; none of them is zero. null =
   * the exchange does not report them.
   */
  fees: readonly OrderFee[] | null;
  /** When the order was opened; null = not reported. */
  openedAt: Date | null;
  closedAt: Date | null;
  description: OrderDescription;
  /** The order as the exchange's response contains it, not converted. */
  raw: Record<string, unknown>;
}

/** The fees of an order in one asset. A negative amount is a rebate. */
export interface OrderFee {
  /** Our code of the asset; null = the quote asset. */
  asset: string | null;
  amount: Amount;
}

/** The pair, side and type of an order in the exchange's own notation. */
export interface OrderDescription {
  pair: string;
  side: string;
  type: string;
}

/** An order whose outcome is unknown, from the stored attempt. */
export interface SoughtOrder {
  clientOrderId: string;
  /** The parameters that were sent (`PreparedOrder.request`). */
  request: Readonly<Record<string, string>>;
  /** Orders before this moment cannot match. */
  notBefore: Date;
  /** Whether a result of null must prove that the order does not exist. false may save calls. Default: true. */
  isProofNeeded?: boolean;
}

/** An order that the exchange has accepted. */
export interface TakenOrder {
  exchangeId: string;
  /** The parameters that were sent. Most exchanges find an order only with its pair. */
  request: Readonly<Record<string, string>>;
  /** The order was sent at this moment or later. An exchange may find an old order only by its time. */
  notBefore: Date;
}

/** An order that the exchange has accepted, and that `read` does not find any more. */
export interface MissingOrder extends TakenOrder {
  /** The exchange has shown the order as open at this moment, or has accepted it later. */
  seenAt: Date;
}

/**
 * States what is certain about a missing order. An exchange always finds an open order, so a missing order has ended,
 * unless the exchange's lists are late.
 * - `may_be_late`: the exchange would still find the order if it had ended.
 * - `ended`: the order has ended, and may have been executed.
 * - `not_executed`: it has ended, and nothing was executed after `seenAt`.
 */
export type MissingOrderFate = 'may_be_late' | 'ended' | 'not_executed';

/** Spot orders of one account. */
export interface TradingCapability {
  /**
   * Whether a refusal for insufficient funds proves that the exchange has accepted no copy of the order. If it does
   * not, Causeway compares the balance with the order before it sends the order.
   */
  readonly isFundsRefusalDefinite: boolean;
  /**
   * The exchange refuses a request that arrives this long after it was signed; null = the exchange documents no limit.
   */
  readonly signedForMs: number | null;
  /**
   * Creates a client order id in the exchange's format.
   * @param name the same name always gives the same id; without a name the id is random.
   */
  newClientOrderId(name?: string): string;
  /**
   * Reads whether the settings of the key allow orders now (`KeyInfo.unsafeSettings`). Absent = no setting matters.
   * @throws ExchangeError `refused` with the setting as its reason
   */
  requireSafeKey?(): Promise<void>;
  /** Makes the parameters of an order. Sends nothing to the exchange. */
  prepare(instruction: OrderInstruction): PreparedOrder;
  /** Sends one request, at most once, without retries. Throws only `InsideTransaction`, before anything else. */
  place(prepared: PreparedOrder, options: { beforeSend: () => void }): Promise<OrderOutcome>;
  /**
   * Finds the order with our id, in any state. null = the complete listings do not contain it.
   * @throws OrderTooOld when the exchange may no longer list the order, and `isProofNeeded` is true
   * @throws ExchangeError when a listing is incomplete.
   */
  find(sought: SoughtOrder): Promise<ExchangeOrder | null>;
  /** @throws ExchangeError; `refused` with TRADING_ORDER_NOT_FOUND when the exchange knows no such order. */
  read(order: TakenOrder): Promise<ExchangeOrder>;
  /** Finds out what is certain about an order that `read` has just not found. @throws ExchangeError */
  judgeMissing(order: MissingOrder): Promise<MissingOrderFate>;
}
