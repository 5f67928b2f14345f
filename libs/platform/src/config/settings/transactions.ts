import { integer } from './kinds.js';

export const transactionSettings = {
  TRANSACTION_SYNC_SECONDS: integer(
    900,
    5,
    86_400,
    'How often the deposits and withdrawals of each wallet are read from its exchange.',
  ),
  TRANSACTION_SYNC_SWEEP_MS: integer(2_000, 50, 7_000, 'How often a worker looks for histories that are due.'),
  TRANSACTION_SYNC_BATCH: integer(200, 1, 10_000, 'Histories that one sweep takes up.'),
  TRANSACTION_SYNC_CONCURRENCY: integer(20, 1, 1_000, 'Histories that one worker process reads at once.'),
  TRANSACTION_SYNC_PAGES: integer(5, 1, 1_000, 'Pages of a history that one job reads before others get their turn.'),
  TRANSACTION_SYNC_PAGE_PAUSE_MS: integer(
    4_000,
    0,
    60_000,
    'How long a history rests for each page that a job has read, so that a long one leaves the calls that the exchange allows to others of the same account.',
  ),
  TRANSACTION_SYNC_BACKOFF_MAX_SECONDS: integer(
    3_600,
    5,
    86_400,
    'Longest pause after a history could not be read; the first is 5 seconds, and each is twice the one before.',
  ),
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
  TRANSACTION_DEFER_HOURS: integer(
    24,
    1,
    720,
    'A withdrawal that the exchange shows this soon after one of ours of the same asset, which waits for its id, is not listed by itself: it may be that one.',
  ),
  TRANSACTION_COUNT_MS: integer(
    10_000,
    0,
    600_000,
    'How long an API process keeps the count of a listing with more than 10,000 transactions, because counting takes long.',
  ),
  TRANSACTION_COUNTS_MAX: integer(10_000, 1, 1_000_000, 'Counts that one API process keeps.'),
};

export const enrichmentSettings = {
  ENRICHMENT_TIMEOUT_MS: integer(
    5_000,
    100,
    60_000,
    'Longest look-up of a transaction at a chain API, all of its calls together.',
  ),
  ENRICHMENT_RESPONSE_MAX_BYTES: integer(2_097_152, 1_024, 67_108_864, 'Largest answer of a chain API that is read.'),
  ENRICHMENT_CONCURRENCY: integer(
    5,
    1,
    100,
    'Transactions that one worker process looks up at once, and calls to one chain API that one process makes at once.',
  ),
  ENRICHMENT_SWEEP_SECONDS: integer(5, 1, 7, 'How often a worker looks for transactions to look up.'),
  ENRICHMENT_SWEEP_BATCH: integer(100, 1, 1_000, 'Transactions that one sweep takes up.'),
  ENRICHMENT_ATTEMPTS: integer(20, 1, 1_000, 'Look-ups of one transaction before it is left as it is.'),
  ENRICHMENT_BACKOFF_SECONDS: integer(
    30,
    1,
    3_600,
    'Pause after the first look-up of a transaction that the chain has not confirmed; doubles each time.',
  ),
  ENRICHMENT_BACKOFF_MAX_SECONDS: integer(21_600, 1, 604_800, 'Longest pause between two look-ups of a transaction.'),
  ENRICHMENT_REPEAT_MS: integer(
    5_000,
    0,
    60_000,
    'A transaction is looked up once in this time, whoever asks; in between what is stored is answered.',
  ),
  ENRICHMENT_SEARCH_AFTER_SECONDS: integer(
    600,
    0,
    86_400,
    'How long an exchange has to tell the hash of a transaction before a worker searches the chain for it.',
  ),
  ENRICHMENT_SEARCH_HOURS: integer(
    12,
    1,
    168,
    'How far from the time of a transaction its block may be when the chain is searched for it.',
  ),
  ENRICHMENT_SEARCH_PAGES: integer(4, 1, 100, 'Pages of an address that one search reads at most.'),
};
