import { defineJob } from '#platform/queue';

/** Delivers to one endpoint. The job is tried once, because the sweep enqueues it again while a delivery is due. */
export const DeliverWebhooksJob = defineJob<{ endpointId: string }>('webhook.deliver', {
  attempts: 1,
  backoffMs: 1_000,
  concurrency: 'WEBHOOK_CONCURRENCY',
});
