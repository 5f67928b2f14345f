import { UnusableResponse } from '../transport/failed-read.js';
import type { EntryPage } from './transfer-pages.js';

/** Most pages of one list. */
const PAGES_MAX = 40;

/** The entries of all pages of a list. @throws ExchangeError when the list does not end */
export async function allPages(
  exchange: string,
  page: (cursor: string | null) => Promise<EntryPage>,
): Promise<unknown[]> {
  const entries: unknown[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const { entries: more, nextCursor }: EntryPage = await page(cursor);
    entries.push(...more);
    if (nextCursor === null) return entries;
    cursor = nextCursor;
  }
  throw new UnusableResponse(exchange, 'a list has too many pages');
}
