import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { WebhookDeliveriesController } from './api/webhook-deliveries.controller.js';
import { WebhookEndpointsController } from './api/webhook-endpoints.controller.js';
import { WebhookModule } from './webhook.module.js';

/** Webhooks over HTTP. */
@Module({
  imports: [AccessModule, WebhookModule],
  controllers: [WebhookDeliveriesController, WebhookEndpointsController],
})
export class WebhookApiModule {}
