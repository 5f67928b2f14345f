import type { Exchange } from '../exchange.js';
import type { Account } from '../ledger/records.js';
import type { CoinbaseCaller } from './authenticate.js';

/** A call whose caller was verified. */
export interface CoinbaseCall {
  exchange: Exchange;
  account: Account;
  caller: CoinbaseCaller;
  query: URLSearchParams;
}
