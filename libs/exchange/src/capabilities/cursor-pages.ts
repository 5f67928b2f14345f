import { z } from 'zod';
import type { ExchangeClient, Endpoint } from '../client/exchange-client.js';
import { UnusableResponse } from '../transport/failed-read.js';
import { fieldOf } from './entry-fields.js';
import type { CodeOf } from './response-fields.js';

/** Maximum number of pages of one list. */
const PAGES_MAX = 40;

/** One page of a list. */
export interface ListPage<T> {
  readonly entries: readonly T[];
  /** The cursor that requests the next page; null = this page is the last one. */
  readonly nextCursor: string | null;
}

/**
 * Returns a reader of pages. @param list the field of the entries @param next the schema that reads the next cursor
 * from a page
 */
export function pageReader<T>(
  list: string,
  entry: z.ZodType<T>,
  next: z.ZodType<string | null>,
): (body: unknown) => ListPage<T> {
  const entries = fieldOf(list, z.array(entry));
  return (body) => ({ entries: entries.parse(body), nextCursor: next.parse(body) });
}

type ReadPage<T> = (cursor: string | null) => Promise<ListPage<T>>;

/** Reads pages by calls that differ in one parameter, the cursor. The default name of this parameter is `cursor`. */
export function pagesBy<T>(
  client: ExchangeClient,
  call: { endpoint: Endpoint; params: Record<string, string>; cursor?: string },
  read: (body: unknown, codeOf: CodeOf) => ListPage<T>,
): ReadPage<T> {
  const { endpoint, params, cursor: name = 'cursor' } = call;
  return (cursor) => client.call(endpoint, { ...params, ...(cursor !== null && { [name]: cursor }) }, read);
}

/**
 * The entries of all pages of a list. @throws ExchangeError when the list has more than `pagesMax` pages, or when a
 * page returns the same cursor with which it was requested
 */
export async function allPages<T>(exchange: string, page: ReadPage<T>, pagesMax = PAGES_MAX): Promise<T[]> {
  const entries: T[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < pagesMax; pages++) {
    const { entries: more, nextCursor }: ListPage<T> = await page(cursor);
    entries.push(...more);
    if (nextCursor === null) return entries;
    if (nextCursor === cursor)
      throw new UnusableResponse(exchange, 'a page of a list returned the cursor of its own request');
    cursor = nextCursor;
  }
  throw new UnusableResponse(exchange, `a list has more than ${pagesMax} pages`);
}

/** Reads pages until one of them has an entry, and returns its first entry; null = the list is empty. */
export async function firstOfPages<T>(exchange: string, page: ReadPage<T>): Promise<T | null> {
  const [first] = await allPages(exchange, async (cursor) => {
    const { entries, nextCursor } = await page(cursor);
    return { entries, nextCursor: entries.length > 0 ? null : nextCursor };
  });
  return first ?? null;
}
