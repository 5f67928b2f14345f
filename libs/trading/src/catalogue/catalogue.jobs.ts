import { defineJob } from '#platform/queue';
import type { CatalogueKey } from './catalogue.js';

/** Exchanges whose pair lists one worker process reads at the same time. */
const CONCURRENCY = 2;

/** Reads the pair list of one exchange. The job has one attempt, because the next refresh follows soon. */
export const RefreshCatalogueJob = defineJob<CatalogueKey>('catalogue.refresh', {
  concurrency: CONCURRENCY,
});
