import { z } from 'zod';
import { flag, integer } from './kinds.js';

export const marketSettings = {
  TICKERS_FROM_SANDBOX: flag(false).describe(
    'Reads the public tickers of all exchanges from the sandbox exchange (SANDBOX_URL) instead of the real addresses. Refused in production.',
  ),
  TICKERS_REFRESH_SECONDS: integer(30, 1, 3_600).describe('How often a worker reads the tickers of each exchange.'),
  TICKERS_STALE_SECONDS: integer(300, 5, 86_400).describe(
    'Tickers older than this are neither served nor used as prices. Must be above TICKERS_REFRESH_SECONDS.',
  ),
  TICKERS_RATE_PER_MINUTE: integer(600, 1, 1_000_000).describe(
    'Maximum number of requests a minute for tickers from one address (IPv6: one /64), counted in each API process; further ones get 429.',
  ),
  PRICE_HISTORY_DAYS: integer(400, 1, 3_650).describe('How long past prices are stored.'),
  PRICE_SOURCES: z
    .string()
    .default('all')
    .transform((text) => text.split(',').map((part) => part.trim()))
    .describe(
      'Exchanges whose tickers supply the price of an asset in US dollars if the wallet’s own exchange has no such price. Best first, separated by commas. `all` = all exchanges with a price list, in our order.',
    ),
};
