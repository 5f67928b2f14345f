import { Module } from '@nestjs/common';
import { QueueModule } from '#platform/queue';
import { DeliverToEndpoint } from './deliveries/deliver-to-endpoint.js';
import { DeliverWebhooksProcessor } from './deliveries/deliver-webhooks.processor.js';
import { DispatchEvents } from './deliveries/dispatch-events.js';
import { EndpointHealth } from './deliveries/endpoint-health.js';
import { SweepWebhooks } from './deliveries/sweep-webhooks.js';
import { DeliverWebhooksJob } from './deliveries/webhook.jobs.js';
import { WebhookMetrics } from './deliveries/webhook.metrics.js';
import { WebhooksDueMetrics } from './deliveries/webhooks-due.metrics.js';
import { WebhookSender } from './deliveries/webhook-sender.js';
import { WebhookModule } from './webhook.module.js';

/** The delivery of webhooks; only the worker process imports it. */
@Module({
  imports: [WebhookModule, QueueModule.forJobs(DeliverWebhooksJob)],
  providers: [
    DeliverToEndpoint,
    DeliverWebhooksProcessor,
    DispatchEvents,
    EndpointHealth,
    SweepWebhooks,
    WebhookMetrics,
    WebhookSender,
    WebhooksDueMetrics,
  ],
})
export class WebhookWorkerModule {}
