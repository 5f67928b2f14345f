import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AdminIdParam, AdminOnly, ADMIN_ACTOR } from '#access';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { NotFound } from '#platform/errors';
import { EventOutbox } from '#platform/events';
import { ApiErrors, toPagination } from '#platform/http';
import { ResendWebhooks } from '../deliveries/resend-webhooks.js';
import { WebhookDeliveries } from '../deliveries/webhook-deliveries.service.js';
import { bodyOf } from '../deliveries/webhook-message.js';
import { WebhookEndpoints } from '../endpoints/webhook-endpoints.service.js';
import {
  ResendWebhooksRequest,
  ResentWebhooksResponse,
  toAttemptResponse,
  toDeliveryResponse,
  toResentResponse,
  WebhookDeliveryDetailResponse,
  WebhookDeliveryListQuery,
  WebhookDeliveryListResponse,
  WebhookDeliveryResponse,
} from './delivery.dto.js';

const refused = ['GENERIC_UNAUTHORIZED', 'GENERIC_RATE_LIMIT_EXCEEDED', 'GENERIC_NOT_FOUND'] as const;

@ApiTags('Webhooks')
@Controller('v0/admin')
export class WebhookDeliveriesController {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly deliveries: WebhookDeliveries,
    private readonly resend: ResendWebhooks,
    private readonly outbox: EventOutbox,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  @Get('webhook-endpoints/:id/deliveries')
  @AdminOnly()
  @ApiOperation({
    operationId: 'listWebhookDeliveries',
    summary: 'List webhook deliveries',
    description: 'The deliveries to an endpoint. A delivery is listed as long as its event is stored.',
  })
  @ApiOkResponse({ type: WebhookDeliveryListResponse })
  @ApiErrors(...refused)
  async listDeliveries(
    @Param() { id }: AdminIdParam,
    @Query() query: WebhookDeliveryListQuery,
  ): Promise<WebhookDeliveryListResponse> {
    const endpoint = await this.endpoints.get(id);
    const { deliveries, totalCount } = await this.deliveries.list(endpoint.id, query.state ?? null, query);
    return { deliveries: deliveries.map(toDeliveryResponse), pagination: toPagination(totalCount, query) };
  }

  @Get('webhook-deliveries/:id')
  @AdminOnly()
  @ApiOperation({
    operationId: 'getWebhookDelivery',
    summary: 'Get webhook delivery',
    description: 'One delivery with the request, the response and the times of each attempt.',
  })
  @ApiOkResponse({ type: WebhookDeliveryDetailResponse })
  @ApiErrors(...refused)
  async getDelivery(@Param() { id }: AdminIdParam): Promise<WebhookDeliveryDetailResponse> {
    const delivery = await this.deliveries.get(id);
    const event = await this.outbox.find(delivery.eventId);
    if (event === null) throw new NotFound('Webhook delivery');
    const log = await this.deliveries.listAttempts(id);
    return {
      ...toDeliveryResponse(delivery),
      requestBody: bodyOf(event, this.config.constants.WEBHOOK_BODY_MAX_BYTES),
      log: log.map(toAttemptResponse),
    };
  }

  @Post('webhook-deliveries/:id/resend')
  @HttpCode(200)
  @AdminOnly()
  @ApiOperation({
    operationId: 'resendWebhookDelivery',
    summary: 'Resend webhook delivery',
    description:
      'Sends the delivery again now, with the same `webhook-id` and with all retries. The response is 409 after 20 re-sends of one delivery.',
  })
  @ApiOkResponse({ type: WebhookDeliveryResponse })
  @ApiErrors(...refused, '409 GENERIC_INVALID_REQUEST')
  async resendDelivery(@Param() { id }: AdminIdParam): Promise<WebhookDeliveryResponse> {
    return toDeliveryResponse(await this.resend.one(id, ADMIN_ACTOR));
  }

  @Post('webhook-endpoints/:id/resend')
  @HttpCode(200)
  @AdminOnly()
  @ApiOperation({
    operationId: 'resendWebhookDeliveries',
    summary: 'Resend webhook deliveries',
    description:
      'Sends those events of a time range that the endpoint has not accepted, including events that were recorded while it was disabled or did not exist. One request sends at most 5,000 events.',
  })
  @ApiOkResponse({ type: ResentWebhooksResponse })
  @ApiErrors(...refused)
  async resendDeliveries(
    @Param() { id: endpointId }: AdminIdParam,
    @Body() { from, to, includeDelivered }: ResendWebhooksRequest,
  ): Promise<ResentWebhooksResponse> {
    const end = to === undefined ? this.clock.now() : new Date(to);
    const range = { endpointId, from: new Date(from), to: end, includeDelivered, actor: ADMIN_ACTOR };
    return toResentResponse(await this.resend.range(range));
  }
}
