import { Module } from '@nestjs/common';
import { ExchangeModule } from '#exchange';
import { QueueModule } from '#platform/queue';
import { MakeHistoryDue } from '#transaction';
import { KeyDigests, MakeBalancesDue } from '#wallet';
import { DeliverToEndpoint } from './deliveries/deliver-to-endpoint.js';
import { DeliverWebhooksProcessor, RetryWebhooksProcessor } from './deliveries/deliver-webhooks.processor.js';
import { DispatchEvents } from './deliveries/dispatch-events.js';
import { EndpointHealth } from './deliveries/endpoint-health.js';
import { SweepWebhooks } from './deliveries/sweep-webhooks.js';
import { DeliverWebhooksJob, RetryWebhooksJob } from './deliveries/webhook.jobs.js';
import { WebhookMetrics } from './deliveries/webhook.metrics.js';
import { WebhooksDueMetrics } from './deliveries/webhooks-due.metrics.js';
import { WebhookSender } from './deliveries/webhook-sender.js';
import { EraseEndpointsOfDeletedProjects } from './endpoints/erase-deleted-projects.js';
import { ApplyNotices } from './received/apply-notices.js';
import { ExpiredNotices } from './received/expired-notices.js';
import { ReceivedNotices } from './received/received-notices.js';
import { WebhookModule } from './webhook.module.js';

/** The delivery of webhooks, and the processing of received ones; only the worker process imports this module. */
@Module({
  imports: [ExchangeModule, WebhookModule, QueueModule.forJobs(DeliverWebhooksJob, RetryWebhooksJob)],
  providers: [
    ApplyNotices,
    DeliverToEndpoint,
    DeliverWebhooksProcessor,
    DispatchEvents,
    EndpointHealth,
    EraseEndpointsOfDeletedProjects,
    ExpiredNotices,
    KeyDigests,
    MakeBalancesDue,
    MakeHistoryDue,
    ReceivedNotices,
    RetryWebhooksProcessor,
    SweepWebhooks,
    WebhookMetrics,
    WebhookSender,
    WebhooksDueMetrics,
  ],
})
export class WebhookWorkerModule {}
