import type { Exchange } from '../exchange.js';
import type { Account } from '../ledger/records.js';
import type { CoinbaseCaller } from './authenticate.js';

/** A call after authentication. */
export interface CoinbaseCall {
  exchange: Exchange;
  account: Account;
  caller: CoinbaseCaller;
  query: URLSearchParams;
}
