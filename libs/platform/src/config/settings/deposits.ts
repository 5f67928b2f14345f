import { integer } from './kinds.js';

export const depositSettings = {
  DEPOSIT_ADDRESS_CACHE_SECONDS: integer(3_600, 0, 31_536_000).describe(
    'How long a stored deposit address is returned without a call to the exchange. 0 calls the exchange for every request.',
  ),
  DEPOSIT_ADDRESS_LIFE_SECONDS: integer(3_600, 600, 31_536_000).describe(
    'An address that expires sooner than this is returned only if no address exists, or can be created, that stays valid longer: a transfer to it takes time.',
  ),
  BALANCE_CACHE_SECONDS: integer(3_600, 1, 31_536_000).describe(
    'Largest age of stored balances that may be returned for `Cache-Control: only-if-cached` without `max-age`.',
  ),
  NETWORKS_CACHE_SECONDS: integer(86_400, 1, 31_536_000).describe(
    'Largest age of a wallet’s stored withdrawal networks that may be returned with stored balances. The cost of a withdrawal is in its quote.',
  ),
};
