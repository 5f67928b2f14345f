import { nextPart, partAt, periodOf, splitAfter } from '../../capabilities/period-pages.js';
import { entriesOf } from '../../capabilities/response-fields.js';
import type { Period, TransferDeclaration } from '../../capabilities/transfer-pages.js';
import type { ExchangeClient, Endpoint } from '../../client/exchange-client.js';
import { UnusableResponse } from '../../transport/failed-read.js';
import * as responses from './gemini-responses.js';

/**
 * `cost` follows from developer.gemini.com/rate-limit: transfers "1 request per 5 seconds per subaccount". Our default
 * limit is five calls a second, as Gemini recommends, so a request for transfers counts as 25 calls.
 */
const TRANSFERS: Endpoint = {
  method: 'POST',
  path: '/v2/transfers',
  sentAs: { limit_transfers: 'integer', show_completed_deposit_advances: 'boolean' },
  cost: 25,
};
/** Gemini: "The default is 10 and the maximum is 50." */
const PAGE_SIZE = 50;
/** Maximum number of requests for one part of a period, besides the check of the order. Each waits for five seconds. */
const REQUESTS_MAX = 4;
/** Length of the newest part of a period, which is read first. Each older part may be twice as long. */
const FIRST_PART_MS = 7 * 86_400_000;

/** The entries that were read of a part of a period. */
interface ForwardRead {
  readonly entries: unknown[];
  readonly requests: number;
  readonly isWhole: boolean;
  /** The last moment of which not all entries can be requested. */
  readonly unlistedAt?: Date;
}

/**
 * List Past Transfers has all kinds in one list. A request can state the beginning of a period ("only … after this
 * timestamp") and no end. So a period is read in parts, the newest first, and each part from its beginning. Other lists
 * of Gemini are read from the oldest page to the newest ("How to retrieve your trade history"). The documentation of
 * transfers does not say which part of a longer list Gemini returns. So after a first full page we request a single
 * entry, which must be the oldest one. If it is not, older records could be missing, and the list is unusable.
 */
export function transferPages(client: ExchangeClient): TransferDeclaration['page'] {
  return async (_kind, whole, cursor) => {
    const part = partAt(whole, cursor, FIRST_PART_MS);
    const { entries, requests, isWhole, unlistedAt } = await readForward(client, periodOf(whole, part));
    const distinct = [...new Map(entries.map((entry) => [JSON.stringify(entry), entry])).values()];
    const usable = responses.withoutCompletedAdvances(distinct);
    const page = isWhole
      ? nextPart(whole, part, { entries: usable, isDense: requests > REQUESTS_MAX / 2 })
      : splitAfter(whole, part, usable);
    return { ...page, ...(unlistedAt !== undefined && { unlistedAt }) };
  };
}

async function readForward(client: ExchangeClient, { since, until }: Period): Promise<ForwardRead> {
  const entries: unknown[] = [];
  let unlistedAt: Date | undefined;
  let after = since.getTime() - 1;
  for (let requests = 1; requests <= REQUESTS_MAX; requests++) {
    const page = await fetchAfter(client, after, PAGE_SIZE);
    entries.push(...page);
    const times = timesOf(page);
    const newest = Math.max(...times);
    if (requests === 1 && page.length === PAGE_SIZE) await assertOldest(client, after, Math.min(...times));
    if (page.length < PAGE_SIZE || newest > until.getTime()) return { entries, requests, isWhole: true, unlistedAt };
    // The records of the last moment are read again, because the next page may have more records of that moment. If
    // the page has only this moment, the rest of its records cannot be requested.
    const isMoment = newest - 1 <= after;
    if (isMoment) unlistedAt = new Date(newest);
    after = isMoment ? newest : newest - 1;
  }
  return { entries, requests: REQUESTS_MAX, isWhole: after >= until.getTime(), unlistedAt };
}

async function assertOldest(client: ExchangeClient, after: number, oldest: number): Promise<void> {
  if (timesOf(await fetchAfter(client, after, 1))[0] === oldest) return;
  throw new UnusableResponse(client.exchange, 'the list of transfers may lack its oldest records');
}

function fetchAfter(client: ExchangeClient, after: number, limit: number): Promise<unknown[]> {
  // Sources differ on the default of `show_completed_deposit_advances`: older clients state `false`, newer notes state
  // `true`. Only with `true` does the list certainly have the confirmed deposits whose advances it has.
  const params = { timestamp: String(after), limit_transfers: String(limit), show_completed_deposit_advances: 'true' };
  return client.call(TRANSFERS, params, entriesOf);
}

function timesOf(entries: readonly unknown[]): number[] {
  return entries.flatMap((entry) => responses.time.safeParse(entry).data?.getTime() ?? []);
}
