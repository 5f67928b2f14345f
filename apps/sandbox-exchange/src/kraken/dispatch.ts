import { Overdrawn, type Exchange } from '../exchange.js';
import { settle } from '../ledger/settlement.js';
import { accountEndpoints, statusEndpoints } from './account.js';
import { authenticate, type SignedRequest } from './authenticate.js';
import { depositEndpoints } from './funding/deposits.js';
import { KrakenError, type PrivateEndpoints, type PublicEndpoints } from './handler.js';
import { ledgerEndpoints } from './funding/ledgers.js';
import { takeOneTimePassword } from './one-time-password.js';
import { marketEndpoints } from './trading/market.js';
import { tradingEndpoints } from './trading/endpoints.js';
import { withdrawalEndpoints } from './funding/withdrawals.js';

/** The response body; `result` is absent after an error. */
export interface KrakenResponse {
  error: string[];
  result?: unknown;
}

export interface Incoming extends SignedRequest {
  area: 'public' | 'private';
  endpoint: string;
}

const publicEndpoints: PublicEndpoints = { ...statusEndpoints, ...marketEndpoints };
const privateEndpoints: PrivateEndpoints = {
  ...accountEndpoints,
  ...ledgerEndpoints,
  ...depositEndpoints,
  ...withdrawalEndpoints,
  ...tradingEndpoints,
};

/**
 * Verifies a call and returns a function that carries it out, because a fault may carry it out later.
 * @throws KrakenError
 */
export function admit(exchange: Exchange, incoming: Incoming, now: () => Date): () => KrakenResponse {
  const { endpoint, params } = incoming;
  if (incoming.area === 'public') {
    const handler = Object.hasOwn(publicEndpoints, endpoint) ? publicEndpoints[endpoint] : undefined;
    if (handler === undefined) throw new KrakenError('EGeneral:Unknown method');
    return () => toResponse(() => handler({ params, exchange, now: now() }));
  }
  const known = Object.hasOwn(privateEndpoints, endpoint) ? privateEndpoints[endpoint] : undefined;
  if (known === undefined) throw new KrakenError('EGeneral:Unknown method');
  const key = authenticate(exchange, incoming, now());
  if (!known.permissions.every((permission) => key.permissions.includes(permission))) {
    throw new KrakenError('EGeneral:Permission denied');
  }
  const receivedAt = now();
  takeOneTimePassword(exchange, key, { endpoint, otp: params.otp }, receivedAt);
  return () =>
    toResponse(() => {
      const { account } = exchange.bookOf(key.accountId);
      settle(exchange, account, now());
      return known.handler({ params, exchange, account, key, receivedAt, now: now() });
    });
}

/** Converts a `KrakenError` into a response. Any other error is a defect of the sandbox and propagates. */
export function toResponse(work: () => unknown): KrakenResponse {
  try {
    return { error: [], result: work() };
  } catch (error) {
    if (error instanceof KrakenError) return { error: [error.message] };
    if (error instanceof Overdrawn) return { error: ['EFunding:Insufficient funds'] };
    throw error;
  }
}
