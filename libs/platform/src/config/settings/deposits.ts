import { integer } from './kinds.js';

export const depositSettings = {
  DEPOSIT_ADDRESS_CACHE_SECONDS: integer(3_600, 0, 31_536_000).describe(
    'How long a stored deposit address is returned without a call to the exchange. 0 calls the exchange for every request.',
  ),
  DEPOSIT_ADDRESS_LIFE_SECONDS: integer(3_600, 600, 31_536_000).describe(
    'How long a deposit address must stay valid, because a transfer takes time. An address that expires sooner is returned only if the account has no address that stays valid longer, and no new address can or may be created.',
  ),
  BALANCE_CACHE_SECONDS: integer(3_600, 1, 31_536_000).describe(
    'Largest age of stored balances that may be returned for `Cache-Control: only-if-cached` without `max-age`.',
  ),
  NETWORKS_CACHE_SECONDS: integer(86_400, 1, 31_536_000).describe(
    'Largest age of a wallet’s stored withdrawal networks that may be returned with stored balances. Their minimum and maximum may be out of date; each quote checks the amount again at the exchange.',
  ),
};
