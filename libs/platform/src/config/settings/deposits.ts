import { integer } from './kinds.js';

export const depositSettings = {
  DEPOSIT_ADDRESS_CACHE_SECONDS: integer(
    3_600,
    0,
    31_536_000,
    'How long a deposit address is given out again without asking the exchange; 0 always asks.',
  ),
  DEPOSIT_ADDRESS_LIFE_SECONDS: integer(
    3_600,
    0,
    31_536_000,
    'An address that receives for less than this is not given out where there is, or can be made, one that lasts longer: a transfer takes its time.',
  ),
  BALANCE_CACHE_SECONDS: integer(
    3_600,
    1,
    31_536_000,
    'Stored balances that are older do not answer `Cache-Control: only-if-cached` without `max-age`.',
  ),
  NETWORKS_CACHE_SECONDS: integer(
    86_400,
    1,
    31_536_000,
    'Stored networks of a wallet that are older do not answer beside stored balances. What a withdrawal costs is told by its quote.',
  ),
};
