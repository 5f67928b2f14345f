import type { CallOptions, Input, Output } from './call.js';
import { lists, type Operations } from './generated/operations.js';

/** The operations that list entries page by page. */
export type ListId = keyof typeof lists;

/** One entry of a list. */
export type Entry<Id extends ListId> = Output<Id> extends Record<(typeof lists)[Id], (infer Each)[]> ? Each : never;

const PAGE_SIZE = 100;
/** The service serves pages up to this number. */
const PAGE_MAX = 1000;

interface Page extends Record<string, unknown> {
  pagination: { pageCount: number };
}

/**
 * Yields every entry of a list, page by page. The lists begin with the newest entry, so a new entry moves all others:
 * an entry that was on the page before is not yielded again.
 *
 * @throws RangeError when the list has more pages than the service serves
 */
export async function* eachEntry<Id extends ListId>(
  operations: Operations,
  id: Id,
  input: Input<Id>,
  options?: CallOptions,
): AsyncGenerator<Entry<Id>, void, undefined> {
  const list = operations[id].bind(operations) as (input: object, options?: CallOptions) => Promise<Page>;
  let before = new Set<string>();
  for (let page = 0; page <= PAGE_MAX; page += 1) {
    const response = await list({ limit: PAGE_SIZE, ...input, page }, options);
    const entries = response[lists[id]] as Entry<Id>[];
    const seen = new Set<string>();
    for (const entry of entries) {
      const key = JSON.stringify(identityOf(entry as object));
      seen.add(key);
      if (!before.has(key)) yield entry;
    }
    if (page + 1 >= response.pagination.pageCount) return;
    before = seen;
  }
  const advice = 'use a larger limit, or filters such as sinceDate and beforeDate';
  throw new RangeError(`The list has more than ${PAGE_MAX + 1} pages: ${advice}`);
}

function identityOf(entry: { id?: unknown; walletId?: unknown }): unknown {
  return entry.id ?? entry.walletId;
}
