import { integer } from './kinds.js';

export const transactionSettings = {
  TRANSACTION_SYNC_SECONDS: integer(
    900,
    5,
    86_400,
    'How often the deposits and withdrawals of each wallet are read from its exchange.',
  ),
  TRANSACTION_SYNC_SWEEP_MS: integer(2_000, 50, 60_000, 'How often a worker looks for histories that are due.'),
  TRANSACTION_SYNC_BATCH: integer(200, 1, 10_000, 'Histories that one sweep takes up.'),
  TRANSACTION_SYNC_CONCURRENCY: integer(5, 1, 1_000, 'Histories that one worker process reads at once.'),
  TRANSACTION_SYNC_PAGES: integer(20, 1, 1_000, 'Pages of a history that one job reads before others get their turn.'),
  TRANSACTION_OVERLAP_HOURS: integer(
    48,
    1,
    720,
    'How far every reading goes back before the last one: for records that the exchange shows late or changes.',
  ),
  TRANSACTION_PENDING_DAYS: integer(
    30,
    1,
    365,
    'How far back a reading goes for records that are still pending at the exchange.',
  ),
};

export const enrichmentSettings = {
  ENRICHMENT_TIMEOUT_MS: integer(5_000, 100, 60_000, 'Longest call to a chain API.'),
  ENRICHMENT_RESPONSE_MAX_BYTES: integer(2_097_152, 1_024, 67_108_864, 'Largest answer of a chain API that is read.'),
  ENRICHMENT_CONCURRENCY: integer(5, 1, 100, 'Transactions that one worker process looks up at once.'),
  ENRICHMENT_SWEEP_SECONDS: integer(10, 1, 3_600, 'How often a worker looks for transactions to look up.'),
  ENRICHMENT_SWEEP_BATCH: integer(100, 1, 1_000, 'Transactions that one sweep takes up.'),
  ENRICHMENT_ATTEMPTS: integer(20, 1, 1_000, 'Look-ups of one transaction before it is left as it is.'),
};
