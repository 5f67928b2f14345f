import { WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { JobProcessor } from '#platform/queue';
import { DeliverToEndpoint } from './deliver-to-endpoint.js';
import { DeliverWebhooksJob, RetryWebhooksJob } from './webhook.jobs.js';

@JobProcessor(DeliverWebhooksJob)
export class DeliverWebhooksProcessor extends WorkerHost {
  constructor(private readonly deliver: DeliverToEndpoint) {
    super();
  }

  async process(job: Job<{ endpointId: string }>): Promise<void> {
    await this.deliver.execute(job.data.endpointId);
  }
}

@JobProcessor(RetryWebhooksJob)
export class RetryWebhooksProcessor extends DeliverWebhooksProcessor {}
