import { integer } from './kinds.js';

export const depositSettings = {
  DEPOSIT_ADDRESS_CACHE_SECONDS: integer(
    86_400,
    0,
    31_536_000,
    'How long a deposit address is given out again without asking the exchange; 0 always asks.',
  ),
  BALANCE_CACHE_SECONDS: integer(
    3_600,
    1,
    31_536_000,
    'Stored balances that are older do not answer `Cache-Control: only-if-cached` without `max-age`.',
  ),
};
