import { defineJob } from '#platform/queue';

/** Exchanges whose tickers one worker process reads at the same time. */
const CONCURRENCY = 4;

/** Reads the tickers of one exchange. The job has one attempt, because the next refresh follows soon. */
export const RefreshTickerJob = defineJob<{ exchange: string }>('ticker.refresh', {
  concurrency: CONCURRENCY,
});
