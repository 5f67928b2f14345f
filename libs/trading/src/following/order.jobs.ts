import { defineJob } from '#platform/queue';

/** Checks one order. The job has one attempt, because the sweep enqueues the order again while its row is due. */
export const SettleOrderJob = defineJob<{ orderId: string }>('order.settle', {
  concurrency: 10,
});
