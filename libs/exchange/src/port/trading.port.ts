import type { Amount } from '#money';
import type { ErrorCode } from '#platform/errors';

export type OrderSide = 'buy' | 'sell';
export type OrderType = 'market' | 'limit';

/** A spot order in our words. */
export interface OrderInstruction {
  /** The exchange's own symbol of the pair, as orders name it (`TradedPair.exchangeSymbol`). */
  exchangeSymbol: string;
  side: OrderSide;
  type: OrderType;
  /** In the base asset. */
  volume: Amount;
  /** In the quote asset; null for a market order. */
  price: Amount | null;
  /** Ours: of at most one order, in the form that the exchange takes. */
  clientOrderId: string;
  /** From then on the order must not be made any more. */
  submissionDeadline: Date;
}

/** Exactly what `place` will send, without secrets; stored before it is sent. */
export interface PreparedOrder {
  request: Record<string, string>;
  /**
   * A fence: the exchange promises that after this moment, by its own clock, the order is made no more, however late the
   * request acts; null = no such promise.
   */
  submissionDeadline: Date | null;
}

/** What is known after one submission. Only evidence counts: everything that proves neither is `unknown`. */
export type OrderOutcome =
  | {
      kind: 'accepted';
      /** At least one, in the exchange's order. */
      exchangeIds: string[];
      /** The exchange's own text of the order; null = it has none. */
      description: string | null;
      answer: Record<string, unknown>;
    }
  /** An allow-listed, definite refusal: there is no order. */
  | { kind: 'rejected'; code: ErrorCode; rawCode: string; reason?: string; answer: Record<string, unknown> }
  /** Provably not one byte of the request was written: the only outcome after which the same order may be sent again. */
  | { kind: 'not_sent'; reason: string }
  | {
      kind: 'unknown';
      reason: string;
      answer: Record<string, unknown>;
      /**
       * The exchange called the key invalid. Exchanges do that with good keys, too, during outages, and an earlier copy of
       * the request may have been executed; a read with the same key shows which it is.
       */
      isKeyRefused?: true;
    };

export type OrderStatus = 'open' | 'filled' | 'canceled' | 'expired' | 'unknown';

/** An order as the exchange shows it. */
export interface ExchangeOrder {
  exchangeId: string;
  clientOrderId: string | null;
  /** `unknown`: the exchange's word has no meaning of ours; it is asked again. */
  status: OrderStatus;
  rawStatus: string;
  volume: Amount;
  executedVolume: Amount;
  /** Of what was executed, in the quote asset. */
  cost: Amount;
  /** In the quote asset; zero while nothing is executed. */
  averagePrice: Amount;
  /** In the quote asset. */
  fee: Amount;
  /** null = not told. */
  openedAt: Date | null;
  closedAt: Date | null;
  description: OrderDescription;
  /** The exchange's own entry. */
  raw: Record<string, unknown>;
}

/** In the exchange's own words. */
export interface OrderDescription {
  pair: string;
  side: string;
  type: string;
}

/** Spot orders of one account. */
export interface TradingCapability {
  /**
   * A client order id in the form that the exchange takes.
   * @param name has the same id each time; without one it is new.
   */
  newClientOrderId(name?: string): string;
  /** Asks the exchange nothing. */
  prepare(instruction: OrderInstruction): PreparedOrder;
  /** Sends one request, at most once, without retry. Never throws, but for `InsideTransaction` before anything else. */
  place(prepared: PreparedOrder, options: { beforeSend: () => void }): Promise<OrderOutcome>;
  /**
   * The order with our id, whatever its state; null = complete, clean listings without it.
   * @param sought.notBefore orders before this moment cannot be it.
   * @param sought.isProofNeeded false = null need not prove that there is none, which may spare calls; true unless told.
   * @throws ExchangeError rather than an incomplete listing.
   */
  find(sought: { clientOrderId: string; notBefore: Date; isProofNeeded?: boolean }): Promise<ExchangeOrder | null>;
  /** @throws ExchangeError; `refused` with TRADING_ORDER_NOT_FOUND when the exchange knows no such order. */
  read(exchangeId: string): Promise<ExchangeOrder>;
}
