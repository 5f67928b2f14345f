import { defineJob } from '#platform/queue';

/** The job is tried once, because the sweep enqueues it again while a delivery is due. */
const DELIVERY = { concurrency: 'WEBHOOK_CONCURRENCY' } as const;

/** Delivers to one endpoint that has no `failingSince`. */
export const DeliverWebhooksJob = defineJob<{ endpointId: string }>('webhook.deliver', DELIVERY);

/**
 * Delivers to one endpoint that has a `failingSince`, because its last attempt has failed. Such endpoints may hang, so
 * they have jobs of their own, which do not delay the other endpoints.
 */
export const RetryWebhooksJob = defineJob<{ endpointId: string }>('webhook.retry', DELIVERY);
