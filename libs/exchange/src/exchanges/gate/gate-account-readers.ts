import { z } from 'zod';
import { balanceReader, sumOf } from '../../capabilities/account-balances.js';
import { allPages } from '../../capabilities/cursor-pages.js';
import { amountOrZero } from '../../capabilities/response-fields.js';
import type { ExchangeClient, Endpoint } from '../../client/exchange-client.js';

/** Readers of the owner's accounts and of those of sub-accounts, by www.gate.com/docs/developers/apiv4 (June 2026). */

/** "Page number", "Maximum number of records to be returned in a single list". */
const PAGE_SIZE = 100;

/** The entries of all pages of a list. */
export function pagesOf<T>(client: ExchangeClient, endpoint: Endpoint, read: (body: unknown) => T[]): Promise<T[]> {
  return allPages(client.exchange, async (cursor) => {
    const page = cursor ?? '1';
    const found = await client.call(endpoint, { page, limit: String(PAGE_SIZE) }, read);
    return { entries: found, nextCursor: found.length < PAGE_SIZE ? null : String(Number(page) + 1) };
  });
}

/** margin, "Margin account list": what the owner has borrowed is in `available` and `locked`. */
const pairs = z.array(z.object({ base: z.unknown(), quote: z.unknown() }));
const sidesOf = (body: unknown): unknown[] =>
  pairs.parse(body).flatMap(({ base, quote }) => [base, quote].filter((side) => side !== null && side !== undefined));
export const readMargin = balanceReader(sidesOf, {
  asset: 'currency',
  free: 'available',
  used: 'locked',
  owed: sumOf(amountOrZero, 'borrowed', 'interest'),
});

/** futures, "Get futures account": `total` has the margins of positions and orders. */
export const readFutures = balanceReader((body) => [body], { asset: 'currency', free: 'available', total: 'total' });
