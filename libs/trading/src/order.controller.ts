import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import {
  TakesIdempotencyKey,
  accessErrors,
  CurrentProject,
  IdempotencyKey,
  RequireScope,
  WalletHeader,
  type ProjectContext,
} from '#access';
import { ApiErrors, ExactNames } from '#platform/http';
import { HasLoad } from '#platform/load';
import { GetOrder } from './following/get-order.js';
import { OrderResponse, toOrderResponse } from './orders/order.dto.js';
import {
  NO_DRY_RUN,
  ORDER_SYNONYMS,
  PlacedOrderResponse,
  PlaceOrderRequest,
  toInput,
  toPlacedResponse,
  UNSUPPORTED_MEMBERS,
} from './placement/place-order.dto.js';
import { PlaceOrder } from './placement/place-order.js';

@ApiTags('Trading')
@Controller('v0/wallet/trade/order')
export class OrderController {
  constructor(
    private readonly placeOrder: PlaceOrder,
    private readonly getOrder: GetOrder,
  ) {}

  @Post()
  @TakesIdempotencyKey({ refusalsMayChange: true })
  @HasLoad('money')
  @HttpCode(200)
  @RequireScope('trade')
  @ExactNames(PlaceOrderRequest, { noDryRun: NO_DRY_RUN, synonyms: ORDER_SYNONYMS, unsupported: UNSUPPORTED_MEMBERS })
  @ApiOperation({
    operationId: 'placeOrder',
    summary: 'Place an order',
    description:
      'Places a spot order on a route of Tradable assets, at most once: send an `Idempotency-Key`, and repeat the call with the same key as often as you like, also after a response was lost. ' +
      'Volume and price are checked against the rules of the route and never rounded. A member with another usual name (`limitPrice`), a member in the query, and a request for a stop order or a dry run (`stopPrice`, `validate`, `dryRun`) are refused. ' +
      'When the exchange refuses the order, the refusal is reported only after two looks at the account that do not show the order; if one of them shows it, the result is the order. ' +
      'When the exchange gives no definite response, or the account does not confirm a refusal, the result is 200 with the status `unknown` and not an error, because the order may exist. A worker searches for it at the exchange until it finds the order, or has proof that the order was never placed (`canceled`, `not_placed`). Until then another order with the same wallet, route, side, type, volume and price gets 409 with `result.orderId`. ' +
      'An error means that this request placed no order. After GENERIC_INTERNAL_SERVER_ERROR, 409 GENERIC_INVALID_REQUEST, and TRADING_PROVIDER_ERROR with `result.reason` `database_restored`, the order may exist: repeat the call with the same key. The result of an order that may have been sent is kept for its key, whatever its status is; use a new key to try again. With `result.reason` `host_clock_differs`, this call placed nothing, but an earlier call with the same key may have placed the order: repeat it with the same key, too.',
  })
  @ApiOkResponse({ type: PlacedOrderResponse, description: 'The exchange has accepted the order, or may have.' })
  @ApiErrors(
    ...accessErrors,
    'GENERIC_INVALID_REQUEST',
    'WALLET_NOT_FOUND',
    'WALLET_INVALID_CREDENTIALS',
    'TRADING_EXCHANGE_NOT_SUPPORTED',
    'TRADING_DATA_UNAVAILABLE',
    'TRADING_ROUTE_NOT_FOUND',
    'TRADING_ROUTE_UNAVAILABLE',
    'TRADING_ORDER_TYPE_NOT_SUPPORTED',
    'TRADING_PROVIDER_ERROR',
  )
  async place(
    @CurrentProject() project: ProjectContext,
    @WalletHeader() externalWalletId: string,
    @IdempotencyKey() idempotencyKey: string | null,
    @Body() body: PlaceOrderRequest,
  ): Promise<PlacedOrderResponse> {
    return toPlacedResponse(await this.placeOrder.execute(project, toInput(body, externalWalletId, idempotencyKey)));
  }

  @Get(':orderId')
  @RequireScope('trade')
  @ApiOperation({
    operationId: 'getOrder',
    summary: 'Get an order',
    description:
      'Returns an order that was placed here. A final order (`filled`, `canceled`, `expired`) is returned from the database, but for a day, an order that was refused or never placed is searched at the exchange again. Any other order is first read from the exchange, unless it was read within the last half second. ' +
      'A worker also follows the order until it is final, and publishes each change as `order.updated`.',
  })
  @ApiParam({ name: 'orderId', description: 'The order id from the response of placing the order.' })
  @ApiOkResponse({ type: OrderResponse, description: 'The order.' })
  @ApiErrors(
    ...accessErrors,
    'WALLET_NOT_FOUND',
    'WALLET_INVALID_CREDENTIALS',
    'TRADING_EXCHANGE_NOT_SUPPORTED',
    'TRADING_ORDER_NOT_FOUND',
    'TRADING_PROVIDER_ERROR',
  )
  async get(
    @CurrentProject() project: ProjectContext,
    @WalletHeader() externalWalletId: string,
    @Param('orderId') orderId: string,
  ): Promise<OrderResponse> {
    return toOrderResponse(await this.getOrder.execute(project, externalWalletId, orderId));
  }
}
