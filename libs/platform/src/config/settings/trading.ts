import { integer, list } from './kinds.js';

export const catalogueSettings = {
  CATALOGUE_EXCHANGES: list(
    'Exchanges whose real pair lists are read, separated by commas. Empty = every exchange with a pair list, `none` = none. The pair lists of the sandbox exchange are read when SANDBOX_URL is set.',
  ),
  CATALOGUE_REFRESH_SECONDS: integer(600, 1, 86_400, 'How often a worker reads the pair list of each exchange.'),
  CATALOGUE_MAX_AGE_SECONDS: integer(
    3_600,
    2,
    604_800,
    'A stored catalogue older than this is read again before it is served; the stored one is served when that fails. Above CATALOGUE_REFRESH_SECONDS.',
  ),
  CATALOGUE_RETRY_SECONDS: integer(
    5,
    1,
    3_600,
    'Least time between two reads that requests cause while no catalogue is stored.',
  ),
  CATALOGUE_FORCED_SECONDS: integer(
    60,
    1,
    86_400,
    'Least time between two reads that requests cause while a catalogue of any age is stored.',
  ),
  CATALOGUE_CONCURRENCY: integer(2, 1, 16, 'Exchanges whose pair lists one worker process reads at the same time.'),
  CATALOGUE_FILTERS_MAX_BYTES: integer(
    33_554_432,
    1_048_576,
    1_073_741_824,
    'Memory of one process for response bodies with different filters, for all catalogues together.',
  ),
};

export const orderSettings = {
  TRADING_EXCHANGES: list(
    'Exchanges at which orders may be placed, separated by commas. `all` = every exchange whose connector can place orders, `none` = none.',
    'all',
  ),
  ORDER_RATE_PER_MINUTE: integer(60, 1, 100_000, 'Most orders a minute for one wallet; further ones get 429.'),
  ORDER_DEADLINE_SECONDS: integer(
    30,
    10,
    55,
    'How long after its submission an exchange may still accept an order, at exchanges that take a deadline. At least 3 seconds above ORDER_LEASE_MS − EXCHANGE_SUBMIT_TIMEOUT_MS, the time in which an order may still be sent.',
  ),
  ORDER_LEASE_MS: integer(
    20_000,
    200,
    120_000,
    'How long an attempt to place an order belongs to its process. After that its outcome is unknown. Above EXCHANGE_SUBMIT_TIMEOUT_MS.',
  ),
  ORDER_SETTLE_SECONDS: integer(
    120,
    10,
    86_400,
    'Least time between the deadline of an order with an unknown outcome and the conclusion that it was never placed. It covers an exchange’s clock that is behind, and late listings. At least 60 − ORDER_DEADLINE_SECONDS, because an exchange’s clock can be that far behind while it accepts our deadlines.',
  ),
  ORDER_SETTLE_LOOKS: integer(
    2,
    1,
    100,
    'Listings without the order that this conclusion needs, at least ORDER_CHECK_SECONDS apart.',
  ),
  ORDER_SWEEP_MS: integer(1_000, 20, 7_000, 'How often a worker looks for orders that are due for a check.'),
  ORDER_BATCH: integer(500, 1, 10_000, 'Most orders that may be in the queue at the same time.'),
  ORDER_CONCURRENCY: integer(10, 1, 100, 'Orders that one worker process checks at the same time.'),
  ORDER_CHECK_SECONDS: integer(
    2,
    1,
    3_600,
    'Shortest pause between two checks of an order that is not final. The pause is a tenth of the order’s age, and twice that after the exchange could not be asked.',
  ),
  ORDER_CHECK_MAX_SECONDS: integer(
    1_800,
    1,
    86_400,
    'Longest pause between two checks of an order that is not final. ORDER_SPACING_SECONDS may make it longer for a wallet with many such orders.',
  ),
  ORDER_SPACING_SECONDS: integer(
    5,
    0,
    3_600,
    'Average pause between two checks of open orders of one wallet, and between two checks of its orders with an unknown outcome. It leaves calls to the exchange to the wallet’s other work.',
  ),
  ORDER_FRESH_MS: integer(
    500,
    0,
    60_000,
    'An order that was read from the exchange within this time is returned without asking the exchange again.',
  ),
};
