import { WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { JobProcessor } from '#platform/queue';
import type { CatalogueKey } from './catalogue.js';
import { RefreshCatalogueJob } from './catalogue.jobs.js';
import { RefreshCatalogue } from './refresh-catalogue.js';

@JobProcessor(RefreshCatalogueJob)
export class RefreshCatalogueProcessor extends WorkerHost {
  constructor(private readonly refreshCatalogue: RefreshCatalogue) {
    super();
  }

  async process({ data: { exchange, mode } }: Job<CatalogueKey>): Promise<void> {
    await this.refreshCatalogue.execute({ exchange, mode });
  }
}
