import { UnusableResponse } from '../transport/failed-read.js';

/** Most pages of one list. */
const PAGES_MAX = 40;

/** One page of a list. */
export interface ListPage<T> {
  readonly entries: readonly T[];
  /** Requests the next page; null = this is the last one. */
  readonly nextCursor: string | null;
}

/** The entries of all pages of a list. @throws ExchangeError when the list does not end */
export async function allPages<T>(
  exchange: string,
  page: (cursor: string | null) => Promise<ListPage<T>>,
): Promise<T[]> {
  const entries: T[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const { entries: more, nextCursor }: ListPage<T> = await page(cursor);
    entries.push(...more);
    if (nextCursor === null) return entries;
    cursor = nextCursor;
  }
  throw new UnusableResponse(exchange, 'a list has too many pages');
}
