import { UnusableResponse } from '../transport/failed-read.js';

/** Most pages of one list. */
const PAGES_MAX = 40;

/** One page of a list. */
export interface ListPage<T> {
  readonly entries: readonly T[];
  /** Requests the next page; null = this is the last one. */
  readonly nextCursor: string | null;
}

type ReadPage<T> = (cursor: string | null) => Promise<ListPage<T>>;

/** The entries of all pages of a list. @throws ExchangeError when the list does not end */
export async function allPages<T>(exchange: string, page: ReadPage<T>, pagesMax = PAGES_MAX): Promise<T[]> {
  const entries: T[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < pagesMax; pages++) {
    const { entries: more, nextCursor }: ListPage<T> = await page(cursor);
    entries.push(...more);
    if (nextCursor === null) return entries;
    if (nextCursor === cursor) break;
    cursor = nextCursor;
  }
  throw new UnusableResponse(exchange, 'a list has too many pages');
}

/** The first entry in the pages of a list, of which later pages are not read; null = there is none. */
export async function firstOfPages<T>(exchange: string, page: ReadPage<T>): Promise<T | null> {
  const [first] = await allPages(exchange, async (cursor) => {
    const { entries, nextCursor } = await page(cursor);
    return { entries, nextCursor: entries.length > 0 ? null : nextCursor };
  });
  return first ?? null;
}
