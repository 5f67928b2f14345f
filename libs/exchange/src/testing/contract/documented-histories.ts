import type { HistoryKind } from '../../port/exchange.port.js';
import type { SampleRecord } from './exchange-contract.js';

const DAY_MS = 86_400_000;

/** Values by the name of a parameter; undefined = the request does not state it. */
export type StatedPage = Readonly<Record<string, string | undefined>>;

/** A period with both its ends, in epoch milliseconds. */
export interface StatedPeriod {
  readonly since: number;
  readonly until: number;
}

/** How the requests of a history select records. The values are from the documentation, and not from the connector. */
interface DocumentedHistory {
  /** The longest period that a request states; null = the documentation names none. */
  readonly periodMs: number | null;
  readonly period: (of: StatedPeriod) => StatedPage;
  /**
   * What each request of a period states beside or in place of `period`.
   * @param records of the period, the newest first: more than one page of them, or none
   */
  readonly pages: (records: readonly SampleRecord[], kind: HistoryKind) => readonly StatedPage[];
  /**
   * The request that searches a withdrawal by our reference, when the longest period after `notBefore` has passed;
   * absent = the exchange has no such search.
   */
  readonly search?: (clientRef: string, notBefore: number) => StatedPage;
}

const isLong = (records: readonly SampleRecord[]): boolean => records.length > 0;

const binance: DocumentedHistory = {
  // "time between `startTime` and `endTime` must be less than 90 days"
  periodMs: 90 * DAY_MS - 1_000,
  period: ({ since, until }) => ({ startTime: `${since}`, endTime: `${until}` }),
  // "Default: 1000, Max: 1000". The position 5000 shows whether five requests are enough for the period.
  pages: (records) => (isLong(records) ? ['0', '5000', '1000'] : ['0']).map((offset) => ({ offset, limit: '1000' })),
  // "If `withdrawOrderId` is sent, time between `startTime` and `endTime` must be less than 7 days."
  search: (withdrawOrderId, notBefore) => ({
    withdrawOrderId,
    startTime: `${notBefore}`,
    endTime: `${notBefore + 7 * DAY_MS - 1_000}`,
  }),
};

const bybit: DocumentedHistory = {
  // "`endTime` - `startTime` should be less than 30 days."
  periodMs: 30 * DAY_MS - 1_000,
  period: ({ since, until }) => ({ startTime: `${since}`, endTime: `${until}` }),
  // "Limit for data size per page. [`1`, `50`]"; `withdrawType`: "2: all". The last page has a cursor, too.
  pages: (records, kind) => {
    const cursors = isLong(records) ? [undefined, '50', String(records.length)] : [undefined];
    return cursors.map((cursor) => ({ cursor, limit: '50', withdrawType: kind === 'withdrawal' ? '2' : undefined }));
  },
};

const okx: DocumentedHistory = {
  periodMs: null,
  // "after: records earlier than the requested ts", "before: records newer than the requested ts", without both.
  period: ({ since, until }) => ({ before: `${since - 1}`, after: `${until + 1}` }),
  // "Number of results per request. The maximum is `100`". A further page repeats the last moment of the one before.
  pages: (records) => {
    const last = records[99];
    const further = last === undefined ? [] : [{ limit: '100', after: `${last.at.getTime() + 1}` }];
    return [{ limit: '100' }, ...further];
  },
  search: (clientId) => ({ clientId }),
};

const kucoin: DocumentedHistory = {
  periodMs: null,
  // The documentation does not say whether a period contains its ends.
  period: ({ since, until }) => ({ startAt: `${since - 1}`, endAt: `${until + 1}` }),
  // "Minimum is 10, maximum is 500."
  pages: (records) => (isLong(records) ? ['1', '2'] : ['1']).map((currentPage) => ({ currentPage, pageSize: '500' })),
};

const bitgetPages = (cursor: string): DocumentedHistory['pages'] => {
  // "Number of entries per page. The default value is 20 and the maximum value is 100."
  return (records) => {
    const last = records[99];
    return [
      { limit: '100', [cursor]: undefined },
      ...(last === undefined ? [] : [{ limit: '100', [cursor]: last.id }]),
    ];
  };
};

/** The documentation does not say whether a period contains its ends. */
const bitgetPeriod: DocumentedHistory['period'] = ({ since, until }) => ({
  startTime: `${since - 1}`,
  endTime: `${until + 1}`,
});

const bitget: DocumentedHistory = {
  // "The start and end time cannot exceed 90 days"
  periodMs: 90 * DAY_MS - 1_000,
  period: bitgetPeriod,
  // `idLessThan`: "Requests the content on the page before this ID (older data)"
  pages: bitgetPages('idLessThan'),
  search: (clientOid, notBefore) => ({
    clientOid,
    startTime: `${notBefore}`,
    endTime: `${notBefore + 90 * DAY_MS - 1_000}`,
  }),
};

const bitgetUnified: DocumentedHistory = {
  // "uta allows a window of 30 days at most" (ccxt 4.5.84)
  periodMs: 30 * DAY_MS - 1_000,
  period: bitgetPeriod,
  // `cursor`: "use the smallest orderId returned from the previous query"
  pages: bitgetPages('cursor'),
};

const gate: DocumentedHistory = {
  // "Record query time range cannot exceed 30 days", in seconds. Rounding and the added seconds make it longer by four.
  periodMs: 30 * DAY_MS - 4_000,
  // The documentation does not say whether a period contains its ends.
  period: ({ since, until }) => ({ from: `${Math.floor(since / 1_000) - 1}`, to: `${Math.ceil(until / 1_000) + 1}` }),
  // "List offset, starting from 0". The position 500 shows whether five requests are enough for the period.
  pages: (records) => (isLong(records) ? ['0', '500', '100'] : ['0']).map((offset) => ({ offset, limit: '100' })),
};

const kraken: DocumentedHistory = {
  periodMs: null,
  // The times of records are whole seconds.
  period: ({ since, until }) => ({ start: `${Math.floor(since / 1_000)}`, end: `${Math.floor(until / 1_000) + 1}` }),
  // "cursor: true/false to enable/disable paginated response", and then the cursor of the page before.
  pages: (records) => (isLong(records) ? ['true', '500'] : ['true']).map((cursor) => ({ cursor, limit: '500' })),
};

const bitstamp: DocumentedHistory = {
  periodMs: null,
  period: () => ({}),
  // "Withdrawal requests from number of seconds ago to now (max. 50000000)", "minimum: 1; maximum: 1000"
  pages: (records, kind) =>
    (isLong(records) ? ['0', '1000'] : ['0']).map((offset) => ({
      offset,
      limit: '1000',
      timedelta: kind === 'withdrawal' ? '50000000' : undefined,
    })),
};

/** Transactions of other kinds that the sample of Coinbase lists directly after the newest record. */
const COINBASE_OTHERS = 4;

const coinbase: DocumentedHistory = {
  periodMs: null,
  // docs.cdp.coinbase.com/coinbase-app/track-apis/transactions documents no parameter for a period.
  period: () => ({}),
  // …/api-architecture/pagination: "The default `limit` is set to 25, but values up to 100 are permitted", "by always
  // using the `id` of the last resource in the list as a `starting_after` parameter". The accounts are requested first.
  pages: (records) => {
    const last = records[99 - COINBASE_OTHERS];
    const further = last === undefined ? [] : [{ limit: '100', starting_after: last.id }];
    return [{ limit: '100' }, { limit: '100' }, ...further];
  },
  // There is no search by a reference, so the transactions of the account that pays are read.
  search: () => ({ limit: '100' }),
};

const gemini: DocumentedHistory = {
  // A request states no end, so a period is read in parts. The newest part has this length, which is ours.
  periodMs: 7 * DAY_MS,
  // developer.gemini.com/rest/fund-management, List Past Transfers: "Only return transfers after this timestamp". With
  // `show_completed_deposit_advances`, the list has the confirmed deposits whose advances it has.
  period: ({ since }) => ({ timestamp: `${since - 1}`, show_completed_deposit_advances: 'true' }),
  // "The default is 10 and the maximum is 50." After the first full page, a request for one entry shows whether pages
  // begin with the oldest entry. A further page repeats the last moment of the one before. The older period has no
  // records of its own, but its request also selects those of the newer one, which fill the page.
  pages: (records) => {
    const first = [{ limit_transfers: '50' }, { limit_transfers: '1' }];
    const newestOfPage = records.at(-50);
    if (newestOfPage === undefined) return first;
    return [...first, { limit_transfers: '50', timestamp: `${newestOfPage.at.getTime() - 1}` }];
  },
};

/** By the id of the exchange. Bitget has two APIs. */
export const documentedHistories: Readonly<Record<string, DocumentedHistory>> = {
  binance,
  bitget,
  bitstamp,
  bybit,
  coinbase,
  gate,
  gemini,
  kraken,
  kucoin,
  okx,
  'bitget-unified': bitgetUnified,
};

/** The exchanges whose requests are not described here, each with the reason. */
export const undescribedHistories: Readonly<Record<string, string>> = {
  sandbox: 'the exchange is ours, and its documentation is its code',
};
