import { integer, list } from './kinds.js';

export const catalogueSettings = {
  CATALOGUE_EXCHANGES: list(
    'Exchanges whose real pair lists are kept, of those that have one; empty = all of them, `none` = none. Those of the sandbox exchange are kept where SANDBOX_URL is set.',
  ),
  CATALOGUE_REFRESH_SECONDS: integer(600, 1, 86_400, 'How often a worker reads the pair list of each exchange.'),
  CATALOGUE_MAX_AGE_SECONDS: integer(
    3_600,
    2,
    604_800,
    'A stored catalogue that is older is read again before it is served, and served all the same when that fails. Above CATALOGUE_REFRESH_SECONDS.',
  ),
  CATALOGUE_RETRY_SECONDS: integer(
    5,
    1,
    3_600,
    'Least time between two readings that requests ask for while no catalogue is stored.',
  ),
  CATALOGUE_FORCED_SECONDS: integer(60, 1, 86_400, 'The same while one is stored, however old it is.'),
  CATALOGUE_CONCURRENCY: integer(2, 1, 16, 'Exchanges whose pair lists one worker process reads at once.'),
  CATALOGUE_FILTERS_MAX_BYTES: integer(
    33_554_432,
    1_048_576,
    1_073_741_824,
    'Memory for bodies for different filters that one process keeps, of all catalogues together.',
  ),
};

export const orderSettings = {
  TRADING_EXCHANGES: list('Exchanges at which orders may be placed.', 'kraken'),
  ORDER_RATE_PER_MINUTE: integer(60, 1, 100_000, 'Orders a minute for one wallet; then 429.'),
  ORDER_DEADLINE_SECONDS: integer(
    30,
    10,
    55,
    'How long an exchange may still make an order after it was sent, where the exchange can be told. At least 3 seconds above ORDER_LEASE_MS − EXCHANGE_SUBMIT_TIMEOUT_MS, in which an order may still be sent.',
  ),
  ORDER_LEASE_MS: integer(
    20_000,
    200,
    120_000,
    'How long one attempt to place an order belongs to its process; then its outcome is unknown. Above EXCHANGE_SUBMIT_TIMEOUT_MS.',
  ),
  ORDER_SETTLE_SECONDS: integer(
    120,
    10,
    86_400,
    'An order with an unknown outcome that is in no listing counts as never made this long after its deadline at the earliest: covers an exchange’s clock that is behind, and listings that are late. At least 60 − ORDER_DEADLINE_SECONDS: that far an exchange’s clock can be behind while it takes our deadlines.',
  ),
  ORDER_SETTLE_LOOKS: integer(
    2,
    1,
    100,
    'Clean listings without the order that are needed for it, ORDER_CHECK_SECONDS apart or more.',
  ),
  ORDER_SWEEP_MS: integer(1_000, 20, 7_000, 'How often a worker looks for orders that are due.'),
  ORDER_BATCH: integer(500, 1, 10_000, 'Orders that may wait in the queue at once.'),
  ORDER_CONCURRENCY: integer(10, 1, 100, 'Orders that one worker process asks about at once.'),
  ORDER_CHECK_SECONDS: integer(
    2,
    1,
    3_600,
    'Shortest pause between two looks of the worker at an order that is not final; the pause is a tenth of its age, and twice that after an exchange could not be asked.',
  ),
  ORDER_CHECK_MAX_SECONDS: integer(
    1_800,
    1,
    86_400,
    'Longest pause between two looks of the worker at an order that is not final, unless its wallet has so many of them that ORDER_SPACING_SECONDS makes it longer.',
  ),
  ORDER_SPACING_SECONDS: integer(
    5,
    0,
    3_600,
    'Pause between two looks of the worker at open orders of one wallet, and between two at orders in doubt, on an average: they must leave the wallet its calls.',
  ),
  ORDER_FRESH_MS: integer(
    500,
    0,
    60_000,
    'An order that was read so recently is answered without asking the exchange.',
  ),
};
