import type { HistoryCapability, HistoryKind, PageFacts } from '#exchange';

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
  /** The cursor of the next page; null = there is no cursor, and the next page begins at `completeSince`. */
  cursor: string | null;
  /** All records of the window that are later than this have been read; null = none yet. */
  completeSince: Date | null;
  /**
   * While a window is being read, the newest records are read ahead from time to time. This is when that was done last;
   * null = not yet. What was read ahead is read again after the window.
   */
  aheadUntil: Date | null;
  /** The latest moment of which the exchange may have more records than it lists; null = there is none. */
  unlistedAt: Date | null;
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
export interface PageRead extends PageFacts {
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
 * Returns the range to request. After a lost cursor, the range ends at the time since which all records were read,
 * inclusive.
 */
export function rangeOf(sync: HistorySync, window: Range): Range {
  return isResumed(sync) ? { since: window.since, until: sync.completeSince ?? window.until } : window;
}

/** The range of the newest records to read ahead begins this much before the end of the records that were read. */
const AHEAD_OVERLAP_MS = 600_000;

/**
 * Returns the range of the newest records if a window that was begun `periodMs` ago or earlier is still being read, and
 * they were not read ahead since; otherwise null.
 */
export function rangeAhead({ windowUntil, aheadUntil }: HistorySync, now: Date, periodMs: number): Range | null {
  if (windowUntil === null) return null;
  const readUntil = Math.max(windowUntil.getTime(), aheadUntil?.getTime() ?? 0);
  if (now.getTime() - readUntil < periodMs) return null;
  return { since: new Date(readUntil - AHEAD_OVERLAP_MS), until: now };
}

/** Returns the progress of a reading after the page `page` of the range `window` was read. */
export function afterPage(sync: HistorySync, window: Range, page: PageRead): HistorySync {
  const isLast = page.nextCursor === null;
  const isFirstPage = sync.windowUntil === null;
  // A new window includes all records that were deferred earlier (see `nextWindow`), so their time is needed no more.
  const deferredBefore = isFirstPage ? null : sync.deferredFrom;
  const completeSince = earliest(page.reachedAt ?? page.oldest, isFirstPage ? null : sync.completeSince);
  return {
    ...sync,
    completeUntil: isLast ? window.until : sync.completeUntil,
    windowSince: isLast ? null : window.since,
    windowUntil: isLast ? null : window.until,
    cursor: page.nextCursor,
    completeSince: isLast ? window.since : completeSince,
    aheadUntil: isLast || isFirstPage ? null : sync.aheadUntil,
    unlistedAt: latest(sync.unlistedAt, page.unlistedAt ?? null),
    reachedAt: earliest(page.oldest, isFirstPage ? null : sync.reachedAt),
    deferredFrom: earliest(deferredBefore, page.deferredFrom),
    records: sync.records + countedOf(sync, page),
    // The first page after a lost cursor does not reset the number of failures, because its own cursor may be lost too.
    failures: isResumed(sync) && !isLast ? sync.failures : 0,
  };
}

/** Number of records of the page that the first reading counts. */
function countedOf({ completeUntil }: HistorySync, { records, isRepeated }: PageRead): number {
  return completeUntil === null && isRepeated !== true ? records : 0;
}

function isResumed({ windowUntil, cursor, completeSince }: HistorySync): boolean {
  return windowUntil !== null && cursor === null && completeSince !== null;
}

export function latest(...moments: (Date | null)[]): Date | null {
  return moments.reduce((last, each) => (last === null || (each !== null && each > last) ? each : last), null);
}

export function earliest(...moments: (Date | null)[]): Date | null {
  return moments.reduce((first, each) => (first === null || (each !== null && each < first) ? each : first), null);
}
