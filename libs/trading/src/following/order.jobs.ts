import { defineJob } from '#platform/queue';

/** Checks one order. The job is tried once, because the sweep enqueues it again while the row is due. */
export const SettleOrderJob = defineJob<{ orderId: string }>('order.settle', {
  attempts: 1,
  backoffMs: 1_000,
  concurrency: 'ORDER_CONCURRENCY',
});
