import { defineJob } from '#platform/queue';
import type { CatalogueKey } from './catalogue.js';

/** Reads the pair list of one exchange. It is tried once, because the next refresh follows soon. */
export const RefreshCatalogueJob = defineJob<CatalogueKey>('catalogue.refresh', {
  attempts: 1,
  backoffMs: 1_000,
  concurrency: 'CATALOGUE_CONCURRENCY',
});
