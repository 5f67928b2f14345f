import { defineJob } from '#platform/queue';
import type { CatalogueKey } from './catalogue.js';

/** Reads the list of pairs of one exchange. One attempt: the next refresh comes soon enough. */
export const RefreshCatalogueJob = defineJob<CatalogueKey>('catalogue.refresh', {
  attempts: 1,
  backoffMs: 1_000,
  concurrency: 'CATALOGUE_CONCURRENCY',
});
