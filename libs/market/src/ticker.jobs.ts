import { defineJob } from '#platform/queue';

/** Reads the tickers of one exchange. One attempt: the next refresh comes soon enough. */
export const RefreshTickerJob = defineJob<{ exchange: string }>('ticker.refresh', {
  attempts: 1,
  backoffMs: 1_000,
  concurrency: 'TICKERS_CONCURRENCY',
});
