import type { SyncProgress } from '#wallet';
import { earliest, latest, type HistorySync } from './history-sync.js';

export type KindProgress = Pick<
  HistorySync,
  'completeUntil' | 'windowSince' | 'windowUntil' | 'completeSince' | 'reachedAt' | 'records' | 'unlistedAt'
>;

/**
 * Returns the progress of a wallet's first reading. Deposits and withdrawals contribute equally to `fraction`.
 * @param begins the exchange has no records before this moment
 */
export function progressOf(
  parts: readonly KindProgress[],
  { before, begins }: { before: SyncProgress | null; begins: Date },
): SyncProgress {
  const reachedBefore = before?.reachedAt ?? null;
  const reached = earliest(
    reachedBefore === null ? null : new Date(reachedBefore),
    ...parts.map(({ reachedAt }) => reachedAt),
  );
  return {
    state: parts.every(({ completeUntil }) => completeUntil !== null) ? 'complete' : 'reading',
    records: parts.reduce((sum, { records }) => sum + records, 0),
    reachedAt: reached?.toISOString() ?? null,
    completeSince: completeSince(parts, begins)?.toISOString() ?? null,
    unlistedAt: latest(...parts.map(({ unlistedAt }) => unlistedAt))?.toISOString() ?? null,
    fraction: parts.reduce((sum, part) => sum + fractionOf(part), 0) / parts.length,
  };
}

/** The time since which all deposits and withdrawals were read; null = there is none yet. */
function completeSince(parts: readonly KindProgress[], begins: Date): Date | null {
  const each = parts.map(({ completeUntil, completeSince: since }) => (completeUntil === null ? since : begins));
  return each.includes(null) ? null : latest(...each);
}

function fractionOf({ completeUntil, windowSince, windowUntil, completeSince: since }: KindProgress): number {
  if (completeUntil !== null) return 1;
  if (windowSince === null || windowUntil === null || since === null) return 0;
  const all = windowUntil.getTime() - windowSince.getTime();
  // A record may be slightly outside of the window, because clocks differ and times are whole seconds.
  const part = (windowUntil.getTime() - since.getTime()) / all;
  return Math.min(1, Math.max(0, part));
}
