import { z } from 'zod';
import { flag, integer } from './kinds.js';

export const marketSettings = {
  TICKERS_FROM_SANDBOX: flag(
    false,
    'Reads the public tickers of all exchanges from the sandbox exchange (SANDBOX_URL) instead of the real addresses. Refused in production.',
  ),
  TICKERS_REFRESH_SECONDS: integer(30, 1, 3_600, 'How often a worker reads the tickers of each exchange.'),
  TICKERS_STALE_SECONDS: integer(
    300,
    5,
    86_400,
    'Tickers older than this are neither served nor used as prices. Above TICKERS_REFRESH_SECONDS.',
  ),
  TICKERS_CONCURRENCY: integer(4, 1, 16, 'Exchanges whose tickers one worker process reads at the same time.'),
  TICKERS_RATE_PER_MINUTE: integer(
    600,
    1,
    1_000_000,
    'Most requests a minute for tickers from one address (IPv6: one /64), counted in each API process; further ones get 429.',
  ),
  TICKERS_FILTERS_MAX: integer(
    1_000,
    1,
    100_000,
    'Most response bodies for different values of `coins` that one process keeps for each exchange.',
  ),
  PRICE_HISTORY_STEP_MINUTES: integer(10, 1, 1_440, 'Least time between two stored price lists of an exchange.'),
  PRICE_HISTORY_DAYS: integer(400, 1, 3_650, 'How long past prices are stored.'),
  PRICE_HISTORY_SWEEP_SECONDS: integer(
    3_600,
    1,
    86_400,
    'How often a worker deletes prices older than PRICE_HISTORY_DAYS.',
  ),
  PRICE_HISTORY_SWEEP_BATCH: integer(1_000, 1, 100_000, 'Most stored price lists that one statement deletes.'),
  PRICE_TOLERANCE_MINUTES: integer(
    30,
    1,
    1_440,
    'Largest distance in time between a transaction and the stored price that is used for it.',
  ),
  PRICE_SOURCES: z
    .string()
    .default('all')
    .transform((text) => text.split(',').map((part) => part.trim()))
    .describe(
      'Exchanges whose tickers price the assets that the wallet’s own exchange does not price in US dollars. Best first, separated by commas. `all` = all exchanges with a price list, in our order.',
    ),
};
