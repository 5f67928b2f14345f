import type { ExchangeClient, Endpoint } from '../../../client/exchange-client.js';
import { readListing, type KrakenListing } from './kraken-responses.js';

export const WITHDRAW_STATUS: Endpoint = { method: 'POST', path: '/0/private/WithdrawStatus' };
export const DEPOSIT_STATUS: Endpoint = { method: 'POST', path: '/0/private/DepositStatus' };

/** Records per page. */
const PAGE_SIZE = 500;

/**
 * Reads one page of WithdrawStatus or DepositStatus, newest first. @param cursor null = the first page. @throws
 * ExchangeError
 */
export async function fetchListing(
  client: ExchangeClient,
  endpoint: Endpoint,
  params: Record<string, string>,
  cursor: string | null,
): Promise<KrakenListing> {
  const paged = { ...params, cursor: cursor ?? 'true', limit: String(PAGE_SIZE) };
  const page = await client.call(endpoint, paged, readListing);
  return page.entries.length === 0 ? { entries: [], nextCursor: null } : page;
}
