import { WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { JobProcessor } from '#platform/queue';
import { SettleOrderJob } from './order.jobs.js';
import { SettleOrder } from './settle-order.js';

@JobProcessor(SettleOrderJob)
export class SettleOrderProcessor extends WorkerHost {
  constructor(private readonly settleOrder: SettleOrder) {
    super();
  }

  async process(job: Job<{ orderId: string }>): Promise<void> {
    await this.settleOrder.execute(job.data.orderId);
  }
}
