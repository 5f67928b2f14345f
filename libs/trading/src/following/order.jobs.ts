import { defineJob } from '#platform/queue';

/** Checks one order. The job has one attempt, because the sweep enqueues the order again while its row is due. */
export const SettleOrderJob = defineJob<{ orderId: string }>('order.settle', {
  attempts: 1,
  backoffMs: 1_000,
  concurrency: 'ORDER_CONCURRENCY',
});
