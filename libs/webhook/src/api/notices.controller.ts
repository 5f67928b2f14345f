import { Body, Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { Public } from '#access';
import { ApiErrors, ApiField, KeepsBodyText } from '#platform/http';
import { ReceiveNotice } from '../received/receive-notice.js';

class ExchangeParam {
  @ApiField('Id of the exchange that sends the webhook.', { example: 'sandbox' })
  @MaxLength(64)
  @IsString()
  exchange: string;
}

class ReceivedWebhookResponse {
  @ApiField('The webhook is stored. A worker processes it.')
  success: boolean;
}

const header = (name: string, description: string) => ApiHeader({ name, description, required: true });

@ApiTags('Webhooks')
@Controller('v0/webhooks')
export class NoticesController {
  constructor(private readonly receive: ReceiveNotice) {}

  @Post(':exchange')
  @HttpCode(202)
  @Public({ limit: { name: 'webhooks', perMinute: 'WEBHOOK_RECEIVE_PER_MINUTE' } })
  @KeepsBodyText()
  @ApiOperation({
    operationId: 'receiveWebhook',
    summary: 'Receive webhook of an exchange',
    description:
      'Exchanges call this endpoint; applications do not. The webhook is verified according to Standard Webhooks, stored, and processed by a worker: the balances and the history of the wallet are read at once. A repeat with the same `webhook-id` changes nothing.',
  })
  @header('webhook-id', 'Id of the webhook, the same for every attempt; 1 to 128 printable characters.')
  @header(
    'webhook-timestamp',
    'When the webhook was sent, in epoch seconds. It may differ from our clock by at most five minutes.',
  )
  @header(
    'webhook-signature',
    'One or more signatures, separated by spaces: `v1,` and the signature of id, timestamp and body.',
  )
  @ApiBody({
    schema: { type: 'object', description: 'The notice in the form of the exchange.', additionalProperties: true },
  })
  @ApiResponse({ status: 202, type: ReceivedWebhookResponse })
  @ApiErrors(
    'WEBHOOK_MISSING_HEADERS',
    'WEBHOOK_INVALID_TIMESTAMP',
    'WEBHOOK_SIGNATURE_INVALID',
    'GENERIC_NOT_FOUND',
    'GENERIC_INVALID_REQUEST',
    'GENERIC_RATE_LIMIT_EXCEEDED',
  )
  async postNotice(
    @Param() { exchange }: ExchangeParam,
    @Req() { raw, bodyText: text = '' }: FastifyRequest,
    @Body() body: Record<string, unknown> | undefined,
  ): Promise<ReceivedWebhookResponse> {
    await this.receive.execute(exchange, { headers: raw.headersDistinct, text }, body ?? {});
    return { success: true };
  }
}
