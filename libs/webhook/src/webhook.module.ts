import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { DeliveryStore } from './deliveries/delivery-store.js';
import { ResendWebhooks } from './deliveries/resend-webhooks.js';
import { WebhookDeliveries } from './deliveries/webhook-deliveries.service.js';
import { CreateWebhookEndpoint } from './endpoints/create-webhook-endpoint.js';
import { DeleteWebhookEndpoint } from './endpoints/delete-webhook-endpoint.js';
import { RotateWebhookSecret } from './endpoints/rotate-webhook-secret.js';
import { UpdateWebhookEndpoint } from './endpoints/update-webhook-endpoint.js';
import { WebhookEndpoints } from './endpoints/webhook-endpoints.service.js';
import { WebhookSecrets } from './endpoints/webhook-secrets.js';
import { Targets } from './targets/targets.js';

const publicFace = [
  CreateWebhookEndpoint,
  DeleteWebhookEndpoint,
  ResendWebhooks,
  RotateWebhookSecret,
  UpdateWebhookEndpoint,
  WebhookDeliveries,
  WebhookEndpoints,
];

/** Endpoints and their deliveries, without the code that sends requests to endpoints. */
@Module({
  imports: [AccessModule],
  providers: [DeliveryStore, Targets, WebhookSecrets, ...publicFace],
  exports: [DeliveryStore, Targets, WebhookSecrets, ...publicFace],
})
export class WebhookModule {}
