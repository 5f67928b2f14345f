import type { HistoryCapability, HistoryKind } from '#exchange';

/** The progress of reading one kind of record of one wallet. */
export interface HistorySync {
  walletId: string;
  kind: HistoryKind;
  /** All records before this time have been read; null = the first reading has not ended. */
  completeUntil: Date | null;
  /** During the first reading, only records from this time on raise events. */
  eventsSince: Date;
  /** Begin and end of the window, which is the time range that is being read; null = no reading is in progress. */
  windowSince: Date | null;
  windowUntil: Date | null;
  /** The cursor of the next page; null = there is no cursor, and the next page begins at `reachedAt`. */
  cursor: string | null;
  /** Time of the oldest record that this reading has reached; null = none yet. */
  reachedAt: Date | null;
  /**
   * Time of the oldest record of the window (between two readings: of the last window) that was not stored, because it
   * may be a withdrawal of ours whose id at the exchange is not known yet; null = all were stored.
   */
  deferredFrom: Date | null;
  /** Number of records that the first reading has read. */
  records: number;
  /** Number of failures in a row. */
  failures: number;
  /** Increases with every change, so that an update can detect a concurrent change. */
  step: string;
}

export interface Range {
  since: Date;
  until: Date;
}

/** The result of one page. */
export interface PageRead {
  /**
   * Number of records on the page, including those left for a later reading because they may be withdrawals of ours.
   */
  records: number;
  oldest: Date | null;
  /** Time of the oldest record on the page that was left for a later reading; null = all were stored. */
  deferredFrom: Date | null;
  nextCursor: string | null;
}

/**
 * A window begins this much before the oldest pending record. Exchanges count in seconds, and some may leave out a
 * record at the very beginning of a range.
 */
const PENDING_MARGIN_MS = 1_000;

/**
 * Returns the next window, which ends now. The first window begins at `begins`. A later window begins `overlapMs`
 * before the end of the last one, or earlier if a pending or deferred record is older than that. For such a pending
 * record, the window begins `lateByMs` before the record's time, because the exchange may select the record by an
 * earlier time.
 */
export function nextWindow(
  sync: Pick<HistorySync, 'completeUntil' | 'deferredFrom'>,
  known: Pick<HistoryCapability, 'begins' | 'lateByMs'> & { now: Date; overlapMs: number; oldestPending: Date | null },
): Range {
  if (sync.completeUntil === null) return { since: known.begins, until: known.now };
  // `completeUntil` is in the future when a host whose clock was ahead has stored it. The window then begins
  // `overlapMs` before now, so that no record is missed.
  const readUntil = Math.min(sync.completeUntil.getTime(), known.now.getTime());
  const overlap = new Date(readUntil - known.overlapMs);
  const { oldestPending, lateByMs = 0 } = known;
  const isCovered = oldestPending === null || oldestPending >= overlap;
  const pendingFrom = isCovered ? null : new Date(oldestPending.getTime() - lateByMs - PENDING_MARGIN_MS);
  return { since: earliest(overlap, pendingFrom, sync.deferredFrom) ?? overlap, until: known.now };
}

/**
 * Returns the range to request. After a lost cursor, the range ends at the time of the oldest record that was read,
 * inclusive.
 */
export function rangeOf(sync: HistorySync, window: Range): Range {
  return isResumed(sync) ? { since: window.since, until: sync.reachedAt ?? window.until } : window;
}

/** Returns the progress of a reading after the page `page` of the range `window` was read. */
export function afterPage(sync: HistorySync, window: Range, page: PageRead): HistorySync {
  const isLast = page.nextCursor === null;
  const isFirstPage = sync.windowUntil === null;
  // A new window includes all records that were deferred earlier (see `nextWindow`), so their time is needed no more.
  const deferredBefore = isFirstPage ? null : sync.deferredFrom;
  return {
    ...sync,
    completeUntil: isLast ? window.until : sync.completeUntil,
    windowSince: isLast ? null : window.since,
    windowUntil: isLast ? null : window.until,
    cursor: page.nextCursor,
    reachedAt: earliest(page.oldest, isFirstPage ? null : sync.reachedAt),
    deferredFrom: earliest(deferredBefore, page.deferredFrom),
    records: sync.completeUntil === null ? sync.records + page.records : sync.records,
    // The first page after a lost cursor does not reset the number of failures, because its own cursor may be lost too.
    failures: isResumed(sync) && !isLast ? sync.failures : 0,
  };
}

function isResumed({ windowUntil, cursor, reachedAt }: HistorySync): boolean {
  return windowUntil !== null && cursor === null && reachedAt !== null;
}

export function earliest(...moments: (Date | null)[]): Date | null {
  return moments.reduce((first, each) => (first === null || (each !== null && each < first) ? each : first), null);
}
