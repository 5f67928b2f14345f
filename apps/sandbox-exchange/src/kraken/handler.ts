import type { Exchange } from '../exchange.js';
import type { Account, ApiKey, Permission } from '../ledger/records.js';

/** An error in Kraken's format, `<class>:<text>`. The response is HTTP 200 with `{"error": ["…"]}`. */
export class KrakenError extends Error {}

export interface PublicCall {
  params: Record<string, string>;
  exchange: Exchange;
  now: Date;
}

/** A call whose key, signature, nonce and permission are verified. */
export interface Call extends PublicCall {
  account: Account;
  key: ApiKey;
  /** The time at which the call was verified. A delayed call is carried out later, at `now`. */
  receivedAt: Date;
}

/** A call without an API key of Kraken's protocol, such as a call of Coinbase's protocol. */
export type KeylessCall = Omit<Call, 'key'>;

/**
 * Returns the `result` of the response, or throws a `KrakenError`. It is synchronous, so no other call runs between its
 * checks and its action.
 */
type Handler = (call: Call) => unknown;
type PublicHandler = (call: PublicCall) => unknown;

interface PrivateEndpoint {
  handler: Handler;
  /** The key needs all of these permissions. */
  permissions: readonly Permission[];
}

export type PrivateEndpoints = Readonly<Record<string, PrivateEndpoint>>;
export type PublicEndpoints = Readonly<Record<string, PublicHandler>>;

/** @throws KrakenError when the parameter is absent or empty */
export function required(params: Record<string, string>, name: string): string {
  const value = params[name];
  if (value === undefined || value === '') throw new KrakenError('EGeneral:Invalid arguments');
  return value;
}
