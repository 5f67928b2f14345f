import type { Exchange } from '../exchange.js';
import type { Account, ApiKey, Permission } from '../ledger/records.js';

/** An error of Kraken's, `<class>:<text>`: answered with HTTP 200 as `{"error": ["…"]}`. */
export class KrakenError extends Error {}

export interface PublicCall {
  params: Record<string, string>;
  exchange: Exchange;
  now: Date;
}

/** A call whose key, signature, nonce and permission were verified. */
export interface Call extends PublicCall {
  account: Account;
  key: ApiKey;
  /** When it was verified; a late call acts after it. */
  receivedAt: Date;
}

/** Returns the `result` of the answer, or throws a `KrakenError`. Synchronous: nothing comes between check and act. */
type Handler = (call: Call) => unknown;
type PublicHandler = (call: PublicCall) => unknown;

interface PrivateEndpoint {
  handler: Handler;
  /** All of them are needed. */
  permissions: readonly Permission[];
}

export type PrivateEndpoints = Readonly<Record<string, PrivateEndpoint>>;
export type PublicEndpoints = Readonly<Record<string, PublicHandler>>;

/** @throws KrakenError when it is absent or empty */
export function required(params: Record<string, string>, name: string): string {
  const value = params[name];
  if (value === undefined || value === '') throw new KrakenError('EGeneral:Invalid arguments');
  return value;
}
