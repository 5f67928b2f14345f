import { daysOrNever, integer, list } from './kinds.js';

export const catalogueSettings = {
  CATALOGUE_EXCHANGES: list().describe(
    'Exchanges whose real pair lists are read, separated by commas. Empty = every exchange with a pair list, `none` = none. The pair lists of the sandbox exchange are read when SANDBOX_URL is set.',
  ),
  CATALOGUE_REFRESH_SECONDS: integer(600, 1, 86_400).describe(
    'How often a worker reads the pair list of each exchange.',
  ),
  CATALOGUE_MAX_AGE_SECONDS: integer(3_600, 2, 604_800).describe(
    'If the stored catalogue is older than this, a request first reads it from the exchange. If that fails, the request gets the stored catalogue. Must be above CATALOGUE_REFRESH_SECONDS.',
  ),
};

export const orderSettings = {
  TRADING_EXCHANGES: list().describe(
    'Exchanges at which orders may be placed, separated by commas. Empty = the exchange that [Trading](trading.md#orders) names, `all` = every exchange whose connector can place orders, `none` = none. `npm start` allows all.',
  ),
  ORDER_RATE_PER_MINUTE: integer(60, 1, 100_000).describe(
    'Maximum number of orders a minute for one wallet; further ones get 429.',
  ),
  ORDER_DEADLINE_SECONDS: integer(30, 10, 55).describe(
    'At exchanges that support a submission deadline: how long after the preparation of an order the exchange may still accept it. Together with EXCHANGE_SUBMIT_TIMEOUT_MS it must be at least 23 seconds, because an order may be sent late in the 20 seconds of its lease.',
  ),
  ORDER_SETTLE_SECONDS: integer(120, 60, 86_400).describe(
    'Least time between the deadline of an order with an unknown outcome and the conclusion that it was never placed. It covers late listings, and an exchange’s clock that is behind: an exchange still accepts our deadlines when it is up to a minute behind.',
  ),
  ORDER_CONCURRENCY: integer(10, 1, 100).describe(
    'Maximum number of orders that one worker process checks at the same time.',
  ),
  ORDERS_KEEP_DAYS: daysOrNever(3_650, 400, 36_500).describe(
    'How long an order is stored after its end: filled, canceled, expired, refused or never placed. At least 400, or 0 = without end. Orders that are open, or whose outcome is unknown, are never deleted.',
  ),
};
