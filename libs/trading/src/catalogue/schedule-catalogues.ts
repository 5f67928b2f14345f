import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { PairLists } from '#exchange';
import { Config } from '#platform/config';
import { JobQueue } from '#platform/queue';
import { RefreshCatalogueJob } from './catalogue.jobs.js';

/** Schedules the refresh of each catalogue. All workers share the schedules. */
@Injectable()
export class ScheduleCatalogues implements OnApplicationBootstrap {
  constructor(
    private readonly jobs: JobQueue,
    private readonly pairLists: PairLists,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    const everyMs = this.config.constants.CATALOGUE_REFRESH_SECONDS * 1_000;
    for (const mode of ['test', 'live'] as const) {
      for (const exchange of this.pairLists.exchanges(mode)) {
        this.jobs.schedule(RefreshCatalogueJob, `${mode}.${exchange}`, everyMs, { exchange, mode });
      }
    }
  }
}
