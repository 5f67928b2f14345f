import { integer } from './kinds.js';

export const transactionSettings = {
  TRANSACTION_SYNC_SECONDS: integer(900, 5, 86_400).describe(
    'How often the deposits and withdrawals of each wallet are read from its exchange.',
  ),
  TRANSACTION_SYNC_CONCURRENCY: integer(20, 1, 1_000).describe(
    'Maximum number of histories that one worker process reads at the same time.',
  ),
};

export const enrichmentSettings = {
  ENRICHMENT_TIMEOUT_MS: integer(5_000, 100, 60_000).describe(
    'Longest look-up of a transaction at a chain API, with all of its calls.',
  ),
  ENRICHMENT_REPEAT_MS: integer(5_000, 0, 60_000).describe(
    'Least time between two look-ups of one transaction. Requests in between get the stored facts.',
  ),
};
