import { z } from 'zod';
import type { ListPage } from '../../capabilities/cursor-pages.js';
import type { TransferDeclaration } from '../../capabilities/transfer-pages.js';
import { UnusableResponse } from '../../transport/failed-read.js';
import * as responses from './coinbase-responses.js';

/** Maximum number of requests for one page of the history, besides those for the list of accounts. */
const REQUESTS_MAX = 20;

const REPEATED = 'a page of a list returned the cursor of its own request';

/** Where the reading of the transactions of an account continues: after the transaction `after`, which is of `at`. */
const place = z.tuple([z.string(), z.string().nullable(), z.number()]);
type Place = z.infer<typeof place>;
const places = z.array(place);

/** The lists of transactions of an owner's accounts. */
export interface AccountLists {
  readonly exchange: string;
  readonly accountIds: () => Promise<readonly string[]>;
  /** A page of the transactions of an account, newest first. */
  readonly fetch: (accountId: string, since: Date, cursor: string | null) => Promise<ListPage<unknown>>;
}

/**
 * Reads the transactions of all accounts. Coinbase lists those of each account separately, newest first. So the account
 * that has been read the least far back is always read next, and the cursor has the place in each list.
 */
export function mergedPages({ exchange, accountIds, fetch }: AccountLists): TransferDeclaration['page'] {
  return async (_kind, { since, until }, cursor) => {
    const open: Place[] =
      cursor === null
        ? (await accountIds()).map((id) => [id, null, until.getTime()])
        : places.parse(JSON.parse(cursor));
    const entries: unknown[] = [];
    for (let requests = 0; requests < REQUESTS_MAX; requests++) {
      const [latest] = open.sort(([, , a], [, , b]) => b - a).splice(0, 1);
      if (latest === undefined) return { entries, nextCursor: null };
      const [id, after, before] = latest;
      const page = await fetch(id, since, after);
      if (after !== null && page.nextCursor === after) throw new UnusableResponse(exchange, REPEATED);
      entries.push(...page.entries);
      const at = responses.dated.safeParse(page.entries.at(-1)).data?.at?.getTime() ?? before;
      if (page.nextCursor !== null) open.push([id, page.nextCursor, Math.min(at, before)]);
    }
    if (open.length === 0) return { entries, nextCursor: null };
    return { entries, nextCursor: JSON.stringify(open), reachedAt: new Date(Math.max(...open.map(([, , at]) => at))) };
  };
}
