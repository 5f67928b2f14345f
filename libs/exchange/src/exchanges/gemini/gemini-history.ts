import { z } from 'zod';
import type { TransferDeclaration } from '../../capabilities/transfer-pages.js';
import type { CcxtClient, Endpoint } from '../../ccxt/ccxt-client.js';
import { UnusableResponse } from '../../transport/failed-read.js';
import { isOfKind, timeOf } from './gemini-responses.js';

const TRANSFERS: Endpoint = {
  api: 'private',
  method: 'POST',
  path: 'v2/transfers',
  sentAs: { limit_transfers: 'integer', show_completed_deposit_advances: 'boolean' },
};

/** "The default is 10 and the maximum is 50." */
const PAGE_SIZE = 50;

/** Most pages of one period. */
const PAGES_MAX = 40;

const list = z.array(z.unknown());

/**
 * List Past Transfers has all kinds in one list, "only … after this timestamp", and no end of a period. The way through
 * other lists of Gemini ("How to retrieve your trade history") is from the oldest page to the newest. The documentation
 * of transfers does not say which part of a longer list it returns, so the first full page is followed by a request for
 * one entry, which must be the oldest. Otherwise older records could be missing, and the list is unusable.
 */
export function transfersForward(client: CcxtClient): TransferDeclaration['page'] {
  const fetch = (after: number, limit: number): Promise<unknown[]> =>
    client.call(TRANSFERS, { timestamp: String(after), limit_transfers: String(limit) }, (body) => list.parse(body));
  const unusable = (what: string): UnusableResponse => new UnusableResponse(client.exchange, what);

  return async (kind, { since, until }) => {
    const found = new Map<string, unknown>();
    let after = since.getTime() - 1;
    for (let pages = 0; pages < PAGES_MAX; pages++) {
      const page = await fetch(after, PAGE_SIZE);
      for (const entry of page) found.set(JSON.stringify(entry), entry);
      const times = page.flatMap((entry) => timeOf(entry)?.getTime() ?? []);
      const [oldest, newest] = [Math.min(...times), Math.max(...times)];
      const isFull = page.length >= PAGE_SIZE;
      if (isFull && pages === 0) {
        const [first] = await fetch(after, 1);
        if (timeOf(first)?.getTime() !== oldest) throw unusable('a longer list lacks its oldest records');
      }
      if (!isFull || newest > until.getTime()) {
        const entries = [...found.values()].filter((entry) => isOfKind(kind, entry) && !isOutside(entry));
        return { entries, nextCursor: null };
      }
      // The records of the last moment are read again, because there may be more of them.
      if (newest - 1 <= after) throw unusable('a page cannot hold all records of one moment');
      after = newest - 1;
    }
    throw unusable('a period has too many records to list');

    function isOutside(entry: unknown): boolean {
      const at = timeOf(entry);
      return at !== null && (at < since || at > until);
    }
  };
}
