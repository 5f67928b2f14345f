import { retryAfterSecondsOf } from '#exchange';
import { Conflict, DomainError, InvalidRequest, type ErrorCode } from '#platform/errors';
import type { Order } from './order.entity.js';

/** `Retry-After` while a duplicate is in doubt, and while another call has locked the wallet. */
const IN_FLIGHT_RETRY_SECONDS = 1;

/** Orders cannot be placed at the wallet's exchange. */
export class TradingExchangeNotSupported extends DomainError {
  /** @param allowed the exchanges at which orders are allowed */
  constructor(exchange: string, allowed: readonly string[] = []) {
    const others = allowed.length === 0 ? '' : `; use a wallet at ${allowed.join(', ')}`;
    super('TRADING_EXCHANGE_NOT_SUPPORTED', `Orders at ${exchange} are not supported${others}`);
  }
}

/** The exchange has no such route, or the route belongs to another exchange. */
export class RouteNotFound extends DomainError {
  constructor() {
    super('TRADING_ROUTE_NOT_FOUND', 'Route not found');
  }
}

/** The route exists but takes no orders now. */
export class RouteUnavailable extends DomainError {
  constructor(routeId: string, status: string) {
    super('TRADING_ROUTE_UNAVAILABLE', `The exchange accepts no orders on the route ${routeId} now; try again later`, {
      result: { status },
    });
  }
}

/** The route does not take this type of order. `result.orderTypes` lists the types that it takes. */
export class OrderTypeNotSupported extends DomainError {
  constructor(routeId: string, type: string, orderTypes: string[]) {
    super(
      'TRADING_ORDER_TYPE_NOT_SUPPORTED',
      `The route ${routeId} does not accept ${type} orders; it accepts: ${orderTypes.join(', ')}`,
      { result: { orderTypes } },
    );
  }
}

/** The wallet has no order with this id. A malformed id and an order of another wallet get the same response. */
export class OrderNotFound extends DomainError {
  constructor() {
    super('TRADING_ORDER_NOT_FOUND', 'Order not found');
  }
}

/** A duplicate of this order may exist. A second order could buy or sell twice. */
export class OrderInDoubt extends Conflict {
  constructor(orderId: string | null, cause?: unknown) {
    super(
      'An order with the same terms may exist and is not settled yet; follow it with GET /v0/wallet/trade/order/{orderId}',
      { retryAfterSeconds: IN_FLIGHT_RETRY_SECONDS, result: { orderId }, cause },
    );
  }
}

/** The exchange has an order with the same terms that was reported as refused or never placed. */
export class OrderExistsAfterAll extends Conflict {
  constructor(orderId: string) {
    super(
      'An order with the same terms was reported as not placed, but the exchange has it: read it with GET /v0/wallet/trade/order/{orderId}, and repeat this request only to place another one',
      { result: { orderId } },
    );
  }
}

/** Another call has locked the wallet. This call has sent and stored nothing. */
export class WalletInUse extends Conflict {
  constructor(cause: unknown) {
    super('Another call has locked this wallet; repeat the request', {
      retryAfterSeconds: IN_FLIGHT_RETRY_SECONDS,
      cause,
    });
  }
}

/**
 * The `Idempotency-Key` was used for an order with another route, side, type, volume or price. `orderId` is null when
 * the id of that order is not known.
 */
export class OrderKeyReused extends InvalidRequest {
  constructor(orderId: string | null) {
    super('The Idempotency-Key was used for another order; use a new key', { status: 422, result: { orderId } });
  }
}

/** A definite refusal of an order, as it is stored with the order and returned by the API. */
export interface Refusal {
  code: ErrorCode;
  message: string;
  /** `retryAfterSeconds` becomes the header `Retry-After`; the other members become `result` of the response. */
  result: Record<string, unknown> | null;
}

/** There is no order: the exchange refused it, or it was never sent. */
export class OrderRefused extends DomainError {
  constructor({ code, message, result }: Refusal, cause?: unknown) {
    const { retryAfterSeconds, ...shown } = result ?? {};
    const pauseSeconds = typeof retryAfterSeconds === 'number' ? retryAfterSeconds : retryAfterSecondsOf();
    super(code, message, {
      cause,
      result: result === null ? undefined : shown,
      retryAfterSeconds: code === 'GENERIC_RATE_LIMIT_EXCEEDED' ? pauseSeconds : undefined,
    });
  }

  /** Returns the refusal of the order as an error; null when the order was not refused. */
  static of({ errorCode, errorMessage, errorResult }: Order): OrderRefused | null {
    if (errorCode === null) return null;
    return new OrderRefused({ code: errorCode, message: errorMessage ?? '', result: errorResult });
  }
}
