import { isDeepStrictEqual } from 'node:util';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, Length, Matches, ValidateIf } from 'class-validator';
import type { OrderSide, OrderStatus, OrderType } from '#exchange';
import { Amount, INPUT_AMOUNT_PATTERN } from '#money';
import type { NewEvent } from '#platform/events';
import type { PlaceOrderInput } from '../placement/order-checks.js';
import type { Order } from './order.entity.js';
import { isInDoubt } from './order-state.js';

const SIDES = ['buy', 'sell'] as const;
const TYPES = ['market', 'limit'] as const;
const STATUSES = ['open', 'filled', 'canceled', 'expired', 'unknown'] as const;

const DECIMAL =
  'a plain decimal greater than zero: at most 20 digits before and 18 after the point; no sign, no exponent. Never rounded: what does not fit the rules of the route is refused.';

export class PlaceOrderRequest {
  @ApiProperty({
    description: 'Route id of Tradable assets; `<base>/<quote>` is understood for the pair, case does not matter.',
    example: 'kraken:spot:BTC-USD',
    minLength: 1,
    maxLength: 100,
  })
  @Length(1, 100)
  @IsString()
  routeId: string;

  @ApiProperty({
    description: `How much of the base asset, as ${DECIMAL} At least \`minBaseQty\`, a multiple of \`stepSize\`.`,
    example: '0.01',
    pattern: INPUT_AMOUNT_PATTERN.source,
  })
  @Matches(/[1-9]/, { message: 'volume must be greater than zero' })
  @Matches(INPUT_AMOUNT_PATTERN, { message: 'volume must be a plain decimal' })
  @IsString()
  volume: string;

  @ApiPropertyOptional({
    description: `Limit price in the quote asset, as ${DECIMAL} A multiple of \`tickSize\`. Required for a limit order, refused for a market order.`,
    type: 'string',
    nullable: true,
    example: '75000.5',
    pattern: INPUT_AMOUNT_PATTERN.source,
  })
  @IsOptional()
  @Matches(/[1-9]/, { message: 'price must be greater than zero' })
  @Matches(INPUT_AMOUNT_PATTERN, { message: 'price must be a plain decimal' })
  @IsString()
  price?: string | null;

  @ApiPropertyOptional({
    description: '`sell`: from the base asset to the quote asset, as a route goes; `buy`: the other way round.',
    enum: [...SIDES],
    default: 'sell',
    example: 'sell',
  })
  // Not `IsOptional`, which lets null pass: whoever means to buy must not sell.
  @ValidateIf(({ side }: PlaceOrderRequest) => side !== undefined)
  @IsIn(SIDES)
  side?: OrderSide;

  @ApiPropertyOptional({
    description: 'Left out: `limit` when there is a `price`, else `market`.',
    enum: [...TYPES],
    example: 'limit',
  })
  @IsOptional()
  @IsIn(TYPES)
  type?: OrderType | null;
}

export class PlacedOrderResponse {
  @ApiProperty({ description: 'Our order id (UUIDv7), for Get order.', format: 'uuid' })
  orderId: string;

  @ApiProperty({
    description: "The exchange's own ids of the order; empty while it is not known whether the exchange has it.",
    type: [String],
    example: ['OUF4EM-FRGI2-MQMWZD'],
  })
  txid: string[];

  @ApiProperty({ description: 'Exchange of the wallet.', example: 'kraken' })
  exchange: string;

  @ApiProperty({ description: 'Route of the order, as in Tradable assets.', example: 'kraken:spot:BTC-USD' })
  routeId: string;

  @ApiProperty({
    description: "The order for people: the exchange's own text where it has one.",
    example: 'sell 0.01000000 XBTUSD @ limit 75000.5',
  })
  description: string;

  @ApiProperty({
    description: "The exchange's own answer; empty while there is none. Its inner structure is the exchange's.",
    type: 'object',
    additionalProperties: true,
  })
  rawResponse: Record<string, unknown>;

  @ApiProperty({
    description:
      '`open`: the exchange has taken it. `unknown`: the exchange gave no definite answer; the order may exist and must not be placed again: follow it with Get order. Another one only in the answer to a repeat.',
    enum: [...STATUSES],
    example: 'open',
  })
  status: OrderStatus;
}

class OrderDescriptionResponse {
  @ApiProperty({ description: "The pair in the exchange's words; ours until it has said one.", example: 'XBTUSD' })
  pair: string;

  @ApiProperty({ description: '`buy` or `sell`, as the exchange says it.', example: 'sell' })
  side: string;

  @ApiProperty({ description: '`market` or `limit`, as the exchange says it.', example: 'limit' })
  type: string;
}

export class OrderResponse {
  @ApiProperty({ description: 'Our order id (UUIDv7).', format: 'uuid' })
  orderId: string;

  @ApiProperty({ description: 'Exchange of the wallet.', example: 'kraken' })
  exchange: string;

  @ApiProperty({
    description:
      '`filled`, `canceled`, `expired` are final and never change. `unknown`: nobody knows yet whether the exchange has the order, or it uses a word of its own (`rawStatus`). An order that was never made is `canceled` with the `rawStatus` `not_placed`, one that the exchange refused with `refused`.',
    enum: [...STATUSES],
    example: 'filled',
  })
  status: OrderStatus;

  @ApiProperty({
    description: "The exchange's own word; ours until it has said one: `unknown`, `accepted`, `not_placed`, `refused`.",
    example: 'closed',
  })
  rawStatus: string;

  @ApiProperty({ description: 'Ordered, in the base asset, as a decimal string.', example: '0.01' })
  volume: string;

  @ApiProperty({ description: 'Of it executed, in the base asset, as a decimal string.', example: '0.01' })
  executedVolume: string;

  @ApiProperty({ description: 'Of what was executed, in the quote asset, as a decimal string.', example: '750.005' })
  cost: string;

  @ApiProperty({
    description: 'In the quote asset, as a decimal string; 0 while nothing is executed.',
    example: '75000.5',
  })
  averagePrice: string;

  @ApiProperty({ description: 'Fee so far, in the quote asset, as a decimal string.', example: '1.2' })
  fee: string;

  @ApiProperty({
    description: 'When the exchange opened it, in epoch seconds; null = not told.',
    type: 'integer',
    nullable: true,
    example: 1763700000,
  })
  openedAt: number | null;

  @ApiProperty({
    description: 'When it came to its end at the exchange, in epoch seconds; null = not yet, or not told.',
    type: 'integer',
    nullable: true,
    example: 1763700060,
  })
  closedAt: number | null;

  @ApiProperty({ description: 'What it asks for.', type: () => OrderDescriptionResponse })
  description: OrderDescriptionResponse;

  @ApiProperty({
    description:
      "The exchange's own entry, as of its last answer; empty while there is none. Its inner structure is the exchange's.",
    type: 'object',
    additionalProperties: true,
  })
  rawResponse: Record<string, unknown>;
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

export function toOrderResponse(order: Order): OrderResponse {
  const { id: orderId, exchange, status, rawStatus, description, state } = order;
  return {
    orderId,
    exchange,
    status,
    rawStatus,
    volume: order.volume.toString(),
    executedVolume: order.executedVolume.toString(),
    cost: order.cost.toString(),
    averagePrice: order.averagePrice.toString(),
    fee: order.fee.toString(),
    openedAt: toSeconds(order.openedAt),
    closedAt: toSeconds(order.closedAt),
    description,
    rawResponse: isInDoubt(state) ? {} : (order.rawAnswer ?? bodyOf(order.placeAnswer)),
  };
}

/** Whether Get order answers the same for both. */
export function isSameToReaders(one: Order, other: Order): boolean {
  // Of an entry that was stored the names have another order.
  return isDeepStrictEqual(toOrderResponse(one), toOrderResponse(other));
}

/** What a project is told of an order: what it would read. */
export function toOrderEvent(order: Order): NewEvent {
  const { projectId, id: subject, externalWalletId, routeId } = order;
  return {
    projectId,
    type: 'order.updated',
    subject,
    data: { ...toOrderResponse(order), walletId: externalWalletId, routeId },
  };
}

/** What the exchange itself said: answers to submissions are kept with their status. */
function bodyOf(answer: Record<string, unknown> | null): Record<string, unknown> {
  const body = answer?.['body'];
  return typeof body !== 'object' || body === null || Array.isArray(body) ? {} : (body as Record<string, unknown>);
}

function toSeconds(moment: Date | null): number | null {
  return moment === null ? null : Math.floor(moment.getTime() / 1_000);
}
