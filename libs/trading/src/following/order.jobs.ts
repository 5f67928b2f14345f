import { defineJob } from '#platform/queue';

/** One look at an order. One attempt: the sweep wakes it again while the row is due. */
export const SettleOrderJob = defineJob<{ orderId: string }>('order.settle', {
  attempts: 1,
  backoffMs: 1_000,
  concurrency: 'ORDER_CONCURRENCY',
});
