import { isDeepStrictEqual } from 'node:util';
import { exampleExchange, type OrderStatus } from '#exchange';
import type { NewEvent } from '#platform/events';
import { ApiField } from '#platform/http';
import type { Order } from './order.entity.js';
import { isInDoubt } from './order-state.js';

export const ORDER_STATUSES = ['open', 'filled', 'canceled', 'expired', 'unknown'] as const;

class OrderDescriptionResponse {
  @ApiField('The pair as the exchange writes it, or as we write it before the exchange has reported it.', {
    example: 'XBTUSD',
  })
  pair: string;

  @ApiField('`buy` or `sell`, as the exchange reports it.', { example: 'sell' })
  side: string;

  @ApiField('`market` or `limit`, as the exchange reports it.', { example: 'limit' })
  type: string;
}

class OrderFeeResponse {
  @ApiField('Asset in which the fee is charged.', { example: 'USD' })
  asset: string;

  @ApiField('Amount as a decimal string; negative = a rebate.', { example: '1.2' })
  amount: string;
}

export class OrderResponse {
  @ApiField('Our order id (UUIDv7).', { format: 'uuid' })
  orderId: string;

  @ApiField('Exchange of the wallet.', { example: exampleExchange.id })
  exchange: string;

  @ApiField(
    '`filled`, `canceled`, `expired` are final. They never change, except that an order with the `rawStatus` `not_placed` or `refused` gets its true status if the exchange shows it after all. `unknown`: it is not known yet whether the exchange has the order, the exchange reports an unknown status (`rawStatus`), the present credentials of the wallet cannot read the order (`rawStatus` `not_visible`), or the order has ended and the exchange no longer shows whether it was executed (`rawStatus` `not_listed`). An order that was never placed is `canceled` with the `rawStatus` `not_placed`. An order that the exchange refused is `canceled` with the `rawStatus` `refused`.',
    { enum: [...ORDER_STATUSES], example: 'filled' },
  )
  status: OrderStatus;

  @ApiField(
    "The exchange's own status. Before it has reported one: `unknown`, `accepted`, `not_placed` or `refused`. `not_visible`: the credentials of the wallet were replaced, and the exchange does not show the order to the present ones; all values but `status` are those of the last report. `not_listed`: the exchange no longer lists the order, so it has ended; with the status `canceled` it was certainly not executed, and with `unknown` it may have been executed after the last report. `settled_by_operator`: an operator of this installation has found out how such an order ended.",
    { example: 'closed' },
  )
  rawStatus: string;

  @ApiField('Ordered volume, in the base asset, as a decimal string.', { example: '0.01' })
  volume: string;

  @ApiField('Executed volume, in the base asset, as a decimal string.', { example: '0.01' })
  executedVolume: string;

  @ApiField('Cost of the executed volume, in the quote asset, as a decimal string.', { example: '750.005' })
  cost: string;

  @ApiField(
    'Average price of the executed volume, in the quote asset, as a decimal string; 0 while nothing is executed.',
    { example: '75000.5' },
  )
  averagePrice: string;

  @ApiField(
    'Fee so far, in `feeAsset`, as a decimal string; negative = a rebate. If fees are charged in several assets, it is the first of `fees`. null = a part of the order is executed, and the exchange does not report the fee.',
    { type: 'string', nullable: true, example: '1.2' },
  )
  fee: string | null;

  @ApiField(
    'Asset of `fee`: the quote asset, or another asset, such as the base asset, if the exchange charges the fee in it. null exactly where `fee` is null.',
    { type: 'string', nullable: true, example: 'USD' },
  )
  feeAsset: string | null;

  @ApiField(
    'All fees so far, one for each asset in which the exchange charges them; empty = no fee. null exactly where `fee` is null.',
    { type: () => [OrderFeeResponse], nullable: true },
  )
  fees: OrderFeeResponse[] | null;

  @ApiField('When the exchange opened the order, in epoch seconds; null = not reported.', {
    type: 'integer',
    nullable: true,
    example: 1763700000,
  })
  openedAt: number | null;

  @ApiField(
    'When the order ended at the exchange, in epoch seconds; null = it has not ended, or the time is not reported.',
    { type: 'integer', nullable: true, example: 1763700060 },
  )
  closedAt: number | null;

  @ApiField('The terms of the order.', { type: () => OrderDescriptionResponse })
  description: OrderDescriptionResponse;

  @ApiField(
    "The exchange's own entry of the order, from its last response; empty while there is none. Its inner structure is the exchange's.",
    { type: 'object', additionalProperties: true },
  )
  rawResponse: Record<string, unknown>;
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
    ...feesOf(order),
    openedAt: toSeconds(order.openedAt),
    closedAt: toSeconds(order.closedAt),
    description,
    rawResponse: isInDoubt(state) ? {} : (order.rawAnswer ?? bodyOf(order.placeAnswer)),
  };
}

function feesOf({ fees, quoteAsset }: Order): Pick<OrderResponse, 'fee' | 'feeAsset' | 'fees'> {
  if (fees === null) return { fee: null, feeAsset: null, fees: null };
  const { amount, asset } = fees[0] ?? { amount: '0', asset: quoteAsset };
  return { fee: amount, feeAsset: asset, fees };
}

/** Whether `GET order` returns the same for both orders. */
export function isSameToReaders(one: Order, other: Order): boolean {
  // JSON texts cannot be compared: PostgreSQL stores the members of an object in another order.
  return isDeepStrictEqual(toOrderResponse(one), toOrderResponse(other));
}

/** Returns the event of an order. Its data is the response of `GET order`. */
export function toOrderEvent(order: Order): NewEvent {
  const { projectId, id: subject, externalWalletId, routeId } = order;
  return {
    projectId,
    type: 'order.updated',
    subject,
    data: { ...toOrderResponse(order), walletId: externalWalletId, routeId },
  };
}

/** Returns the exchange's own response body from a stored response, which contains the HTTP status and the body. */
export function bodyOf(answer: Record<string, unknown> | null): Record<string, unknown> {
  const body = answer?.['body'];
  return typeof body !== 'object' || body === null || Array.isArray(body) ? {} : (body as Record<string, unknown>);
}

function toSeconds(moment: Date | null): number | null {
  return moment === null ? null : Math.floor(moment.getTime() / 1_000);
}
