import { integer } from './kinds.js';

export const transactionSettings = {
  TRANSACTION_SYNC_SECONDS: integer(
    900,
    5,
    86_400,
    'How often the deposits and withdrawals of each wallet are read from its exchange.',
  ),
  TRANSACTION_SYNC_SWEEP_MS: integer(
    2_000,
    50,
    7_000,
    'How often a worker looks for histories that are due for reading.',
  ),
  TRANSACTION_SYNC_BATCH: integer(200, 1, 10_000, 'Most histories that one sweep enqueues.'),
  TRANSACTION_SYNC_CONCURRENCY: integer(20, 1, 1_000, 'Histories that one worker process reads at the same time.'),
  TRANSACTION_SYNC_PAGES: integer(
    5,
    1,
    1_000,
    'Most pages of a history that one job reads before it lets other histories proceed.',
  ),
  TRANSACTION_SYNC_PAGE_PAUSE_MS: integer(
    4_000,
    0,
    60_000,
    'Pause of a history for each page that a job has read. It leaves calls to the exchange to other work of the same account while a long history is read.',
  ),
  TRANSACTION_SYNC_BACKOFF_MAX_SECONDS: integer(
    3_600,
    5,
    86_400,
    'Longest pause after a history could not be read. The first pause is 5 seconds, and each is twice the one before.',
  ),
  TRANSACTION_OVERLAP_HOURS: integer(
    48,
    1,
    720,
    'How far each reading of a history goes back before the last one, because exchanges show some records late or change them.',
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
    'A withdrawal in the exchange’s history may be one of ours whose exchange id is not known yet. While such a withdrawal of the same asset exists, a record that is younger by at most this time is not listed as a separate transaction.',
  ),
  TRANSACTION_COUNT_MS: integer(
    10_000,
    0,
    600_000,
    'How long an API process keeps the total of a list with more than 10,000 transactions, because counting is slow.',
  ),
  TRANSACTION_COUNTS_MAX: integer(10_000, 1, 1_000_000, 'Most totals of lists that one API process keeps.'),
};

export const enrichmentSettings = {
  ENRICHMENT_TIMEOUT_MS: integer(
    5_000,
    100,
    60_000,
    'Longest look-up of a transaction at a chain API, with all of its calls.',
  ),
  ENRICHMENT_RESPONSE_MAX_BYTES: integer(2_097_152, 1_024, 67_108_864, 'Largest response of a chain API that is read.'),
  ENRICHMENT_CONCURRENCY: integer(
    5,
    1,
    100,
    'Transactions that one worker process looks up at the same time. Also the calls that one process makes to one chain API at the same time.',
  ),
  ENRICHMENT_SWEEP_SECONDS: integer(5, 1, 7, 'How often a worker looks for transactions that are due for a look-up.'),
  ENRICHMENT_SWEEP_BATCH: integer(100, 1, 1_000, 'Most transactions that one sweep enqueues.'),
  ENRICHMENT_ATTEMPTS: integer(
    20,
    1,
    1_000,
    'Most look-ups of one transaction. After that the worker leaves it unchanged.',
  ),
  ENRICHMENT_BACKOFF_SECONDS: integer(
    30,
    1,
    3_600,
    'Pause after the first look-up of a transaction that the chain has not confirmed. It doubles each time.',
  ),
  ENRICHMENT_BACKOFF_MAX_SECONDS: integer(21_600, 1, 604_800, 'Longest pause between two look-ups of a transaction.'),
  ENRICHMENT_REPEAT_MS: integer(
    5_000,
    0,
    60_000,
    'Least time between two look-ups of one transaction. Requests in between get the stored facts.',
  ),
  ENRICHMENT_SEARCH_AFTER_SECONDS: integer(
    600,
    0,
    86_400,
    'How long a worker waits for the exchange to return the hash of a transaction before it searches the chain.',
  ),
  ENRICHMENT_SEARCH_HOURS: integer(
    12,
    1,
    168,
    'Largest distance between the time of a transaction and the time of its block when the chain is searched.',
  ),
  ENRICHMENT_SEARCH_PAGES: integer(4, 1, 100, 'Most pages of an address that one search reads.'),
};
