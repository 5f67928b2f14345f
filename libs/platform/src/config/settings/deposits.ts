import { integer } from './kinds.js';

export const depositSettings = {
  DEPOSIT_ADDRESS_CACHE_SECONDS: integer(3_600, 0, 31_536_000).describe(
    'How long a stored deposit address is returned without a call to the exchange. 0 calls the exchange for every request.',
  ),
  BALANCE_CACHE_SECONDS: integer(3_600, 1, 31_536_000).describe(
    'Largest age of stored balances that may be returned for `Cache-Control: only-if-cached` without `max-age`.',
  ),
};
