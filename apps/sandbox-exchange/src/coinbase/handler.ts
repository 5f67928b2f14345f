import type { Exchange } from '../exchange.js';
import type { Account } from '../ledger/records.js';
import type { CoinbaseCaller } from './authenticate.js';

/** A call after authentication. */
export interface CoinbaseCall {
  exchange: Exchange;
  account: Account;
  caller: CoinbaseCaller;
  query: URLSearchParams;
  /** The parameters of the path. */
  path: Readonly<Record<string, string>>;
  /** The JSON of the body; undefined without one. */
  body: unknown;
  /** The code of two-factor authentication. */
  code: string | undefined;
  now: Date;
}
