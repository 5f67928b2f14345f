import type { HistoryKind } from '#exchange';

/** How far one kind of record of one wallet has been read. */
export interface HistorySync {
  walletId: string;
  kind: HistoryKind;
  /** Everything before this moment has been read to the end; null = the first reading goes on. */
  completeUntil: Date | null;
  /** A first reading raises events only of what has happened since then. */
  eventsSince: Date;
  /** What is being read, from its newer end to its older one; null = nothing. */
  windowSince: Date | null;
  windowUntil: Date | null;
  /** What asks for the next page of it; null = the page that begins at `reachedAt`. */
  cursor: string | null;
  /** The oldest record that the reading has come to; null = none yet. */
  reachedAt: Date | null;
  /** The oldest record that was put off since the window before this one. */
  deferredFrom: Date | null;
  /** What the first reading has read. */
  records: number;
  /** Failures in a row. */
  failures: number;
  /** Rises with every change. */
  step: string;
}

export interface Range {
  since: Date;
  until: Date;
}

/** What one page brought. */
export interface PageRead {
  /** Records in it, those put off included. */
  records: number;
  oldest: Date | null;
  /** Oldest of those that were put off. */
  deferredFrom: Date | null;
  nextCursor: string | null;
}

/** The next window when none is being read: from where the last one ended, further back to what must be seen again. */
export function nextWindow(
  sync: Pick<HistorySync, 'completeUntil' | 'deferredFrom'>,
  known: { now: Date; begins: Date; overlapMs: number; oldestPending: Date | null },
): Range {
  if (sync.completeUntil === null) return { since: known.begins, until: known.now };
  // A clock that was ahead for a while must not keep what happens meanwhile from being read.
  const readUntil = Math.min(sync.completeUntil.getTime(), known.now.getTime());
  const overlap = new Date(readUntil - known.overlapMs);
  return { since: earliest(overlap, known.oldestPending, sync.deferredFrom) ?? overlap, until: known.now };
}

/** What to ask for: after a cursor was lost, from the oldest record that was read, the moment of it included. */
export function rangeOf(sync: HistorySync, window: Range): Range {
  return isResumed(sync) ? { since: window.since, until: sync.reachedAt ?? window.until } : window;
}

/** Where the reading stands after a page of `window`. */
export function afterPage(sync: HistorySync, window: Range, page: PageRead): HistorySync {
  const isLast = page.nextCursor === null;
  const isFirstPage = sync.windowUntil === null;
  // At its beginning: a window goes back to everything that was put off before it.
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
    // A page that begins where another one was lost proves nothing about the next cursor.
    failures: isResumed(sync) && !isLast ? sync.failures : 0,
  };
}

function isResumed({ windowUntil, cursor, reachedAt }: HistorySync): boolean {
  return windowUntil !== null && cursor === null && reachedAt !== null;
}

export function earliest(...moments: (Date | null)[]): Date | null {
  return moments.reduce((first, each) => (first === null || (each !== null && each < first) ? each : first), null);
}
