import type { Client, PreparedQuote } from './clients.js';
import { readKind } from './mix.js';
import type { Call } from './send.js';

export const TICKERS = '/v0/market/kraken/tickers';

/** Returns the read at this index of the mix; indices alternate between the clients. */
export function readCall(clients: Client[], index: number): Call {
  const kind = readKind(index);
  if (kind === 'tickers') return { method: 'GET', path: TICKERS, headers: {} };
  const wallet = walletCall(clients, index);
  return kind === 'wallet' ? wallet : { ...wallet, path: '/v0/wallet/transactions' };
}

export function walletCall(clients: Client[], index: number): Call {
  return { method: 'GET', path: '/v0/wallet', headers: clients[index % clients.length]?.headers ?? {} };
}

export function executionCall({ id, client }: PreparedQuote): Call {
  return { method: 'PUT', path: `/v0/wallet/withdraw/${id}/execute`, headers: client.headers, body: '{}' };
}
