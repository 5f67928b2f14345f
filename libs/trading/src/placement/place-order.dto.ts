import { IsIn, IsString, Length, Matches, ValidateIf, type ValidationArguments } from 'class-validator';
import { exampleExchange, type OrderSide, type OrderStatus, type OrderType } from '#exchange';
import { Amount, INPUT_AMOUNT_MESSAGE, INPUT_AMOUNT_PATTERN } from '#money';
import { ApiField, ApiOptionalField, MayBeAbsent } from '#platform/http';
import { bodyOf, ORDER_STATUSES } from '../orders/order.dto.js';
import type { Order } from '../orders/order.entity.js';
import { isInDoubt } from '../orders/order-state.js';
import type { PlaceOrderInput } from './order-checks.js';

/** The advice to a caller that may have meant to request a dry run. */
export const NO_DRY_RUN = 'orders have no dry run';

const SIDES = ['buy', 'sell'] as const;
const TYPES = ['market', 'limit'] as const;

/** The names by which exchanges call members of an order. An order that loses its price or side is another order. */
export const ORDER_SYNONYMS = {
  limitPrice: 'price',
  priceLimit: 'price',
  orderPrice: 'price',
  limit: 'price',
  px: 'price',
  orderSide: 'side',
  direction: 'side',
  action: 'side',
  orderType: 'type',
  ordType: 'type',
} as const;

const NO_STOP_ORDERS = 'there are no stop orders; for a limit order send price';
const NO_CONDITIONS = 'a limit order is open until it is filled or canceled at the exchange, and may be filled at once';
const NO_CLIENT_ID = 'send your own id of the order in the header Idempotency-Key';
/** Members of orders at exchanges that an order here does not have, each with the advice to the caller. */
export const UNSUPPORTED_MEMBERS = {
  stopPrice: NO_STOP_ORDERS,
  triggerPrice: NO_STOP_ORDERS,
  stopLoss: NO_STOP_ORDERS,
  takeProfit: NO_STOP_ORDERS,
  validate: NO_DRY_RUN,
  validateOnly: NO_DRY_RUN,
  timeInForce: NO_CONDITIONS,
  postOnly: NO_CONDITIONS,
  clientOrderId: NO_CLIENT_ID,
  newClientOrderId: NO_CLIENT_ID,
  clOrdId: NO_CLIENT_ID,
} as const;

const DECIMAL =
  'a plain decimal greater than zero: at most 20 digits before and 18 after the point; no sign, no exponent. It is never rounded: a value that does not follow the rules of the route is refused.';

/** Covers the longest exchange, market type and two codes. */
const ROUTE_ID_MAX = 200;

export class PlaceOrderRequest {
  @ApiField(
    'Route id from the catalogue, or the pair as `<base>/<quote>`. Another spelling counts if it names one route only.',
    {
      example: `${exampleExchange.id}:spot:BTC-USD`,
      minLength: 1,
      maxLength: ROUTE_ID_MAX,
    },
  )
  @Length(1, ROUTE_ID_MAX)
  @IsString()
  routeId: string;

  @ApiField(
    `Volume in the base asset, as ${DECIMAL} It must be at least \`minBaseQty\`, and a multiple of \`stepSize\`.`,
    { example: '0.01', pattern: INPUT_AMOUNT_PATTERN.source },
  )
  @Matches(/[1-9]/, { message: 'volume must be greater than zero' })
  @Matches(INPUT_AMOUNT_PATTERN, { message: INPUT_AMOUNT_MESSAGE })
  @IsString()
  volume: string;

  @ApiOptionalField(
    `Limit price in the quote asset, as ${DECIMAL} It must be a multiple of \`tickSize\`. Required for a limit order, refused for a market order. null is accepted only together with \`"type": "market"\`.`,
    { type: 'string', nullable: true, example: '75000.5', pattern: INPUT_AMOUNT_PATTERN.source },
  )
  // A client may have lost the price that it meant to send. Null alone must not become a market order.
  @ValidateIf(({ price, type }: PlaceOrderRequest) => price !== undefined && (price !== null || type !== 'market'))
  @Matches(/[1-9]/, { message: 'price must be greater than zero' })
  @Matches(INPUT_AMOUNT_PATTERN, { message: INPUT_AMOUNT_MESSAGE })
  @IsString({ message: priceTypeMessage })
  price?: string | null;

  @ApiOptionalField(
    '`sell`: the base asset for the quote asset; `buy`: the quote asset for the base asset. Default: `sell`.',
    { enum: [...SIDES], example: 'sell' },
  )
  // `@IsOptional()` would also accept null, which would then become the default, a sell order.
  @MayBeAbsent()
  @IsIn(SIDES)
  side?: OrderSide;

  @ApiOptionalField('Default: `limit` if the request has a `price`, otherwise `market`.', {
    enum: [...TYPES],
    example: 'limit',
  })
  @MayBeAbsent()
  @IsIn(TYPES)
  type?: OrderType;
}

function priceTypeMessage({ value }: ValidationArguments): string {
  if (value !== null) return 'price must be a string';
  return 'price must not be null: for a limit order send a price, for a market order leave price out or send "type": "market"';
}

export class PlacedOrderResponse {
  @ApiField('Our order id (UUIDv7), for reading the order.', { format: 'uuid' })
  orderId: string;

  @ApiField("The exchange's own ids of the order; empty while it is not known whether the exchange has the order.", {
    type: [String],
    example: ['OUF4EM-FRGI2-MQMWZD'],
  })
  txid: string[];

  @ApiField('Exchange of the wallet.', { example: exampleExchange.id })
  exchange: string;

  @ApiField('Route of the order, as in Tradable assets.', { example: `${exampleExchange.id}:spot:BTC-USD` })
  routeId: string;

  @ApiField("Text for people that describes the order: the exchange's own text, if the exchange returned one.", {
    example: 'sell 0.01000000 XBTUSD @ limit 75000.5',
  })
  description: string;

  @ApiField("The exchange's own response; empty while there is none. Its inner structure is the exchange's.", {
    type: 'object',
    additionalProperties: true,
  })
  rawResponse: Record<string, unknown>;

  @ApiField(
    '`open`: the exchange has accepted the order. `unknown`: the exchange gave no definite response. The order may exist and must not be placed again: follow it with GET /v0/wallet/trade/order/{orderId}. Other statuses occur in the response to a repeat, and when the exchange has the order although it refused it.',
    { enum: [...ORDER_STATUSES], example: 'open' },
  )
  status: OrderStatus;
}

export function toInput(body: PlaceOrderRequest, walletId: string, idempotencyKey: string | null): PlaceOrderInput {
  const { routeId, volume, price, side, type } = body;
  return {
    externalWalletId: walletId,
    routeId,
    idempotencyKey,
    side: side ?? 'sell',
    type: type ?? null,
    volume: Amount.parseInput(volume),
    price: price == null ? null : Amount.parseInput(price),
  };
}

export function toPlacedResponse(order: Order): PlacedOrderResponse {
  const { id: orderId, exchangeIds: txid, exchange, routeId, orderText: description, status, state } = order;
  const rawResponse = isInDoubt(state) ? {} : bodyOf(order.placeAnswer);
  return { orderId, txid, exchange, routeId, description, rawResponse, status };
}
