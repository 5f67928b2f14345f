import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { ExchangeModule } from '#exchange';
import { NoticesController } from './api/notices.controller.js';
import { WebhookDeliveriesController } from './api/webhook-deliveries.controller.js';
import { WebhookEndpointsController } from './api/webhook-endpoints.controller.js';
import { ReceivedNotices } from './received/received-notices.js';
import { ReceiveNotice } from './received/receive-notice.js';
import { WebhookModule } from './webhook.module.js';

/** The HTTP routes of webhook endpoints, of their deliveries, and of the notices that exchanges send. */
@Module({
  imports: [AccessModule, ExchangeModule, WebhookModule],
  controllers: [NoticesController, WebhookDeliveriesController, WebhookEndpointsController],
  providers: [ReceivedNotices, ReceiveNotice],
})
export class WebhookApiModule {}
