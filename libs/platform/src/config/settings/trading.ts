import { daysOrNever, integer, list } from './kinds.js';

export const catalogueSettings = {
  CATALOGUE_EXCHANGES: list().describe(
    'Exchanges whose real pair lists are read, separated by commas. Empty = every exchange with a pair list, `none` = none. The pair lists of the sandbox exchange are read when SANDBOX_URL is set.',
  ),
};

export const orderSettings = {
  TRADING_EXCHANGES: list().describe(
    'Exchanges at which orders may be placed, separated by commas. Empty = the exchange that [Trading](trading.md#orders) names, `all` = every exchange whose connector can place orders, `none` = none. `npm start` allows all.',
  ),
  ORDER_RATE_PER_MINUTE: integer(60, 1, 100_000).describe(
    'Maximum number of orders a minute for one wallet; further ones get 429.',
  ),
  ORDERS_KEEP_DAYS: daysOrNever(3_650, 400, 36_500).describe(
    'How long an order is stored after its end: filled, canceled, expired, refused or never placed. At least 400, or 0 = without end. Orders that are open, or whose outcome is unknown, are never deleted.',
  ),
};
