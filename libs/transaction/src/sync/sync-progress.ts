import type { SyncProgress } from '#wallet';
import { earliest, type HistorySync } from './history-sync.js';

export type KindProgress = Pick<HistorySync, 'completeUntil' | 'windowSince' | 'windowUntil' | 'reachedAt' | 'records'>;

/** Returns the progress of a wallet's first reading. Deposits and withdrawals contribute equally to `fraction`. */
export function progressOf(parts: readonly KindProgress[], before: SyncProgress | null): SyncProgress {
  const reachedBefore = before?.reachedAt ?? null;
  const reached = earliest(
    reachedBefore === null ? null : new Date(reachedBefore),
    ...parts.map(({ reachedAt }) => reachedAt),
  );
  return {
    state: parts.every(({ completeUntil }) => completeUntil !== null) ? 'complete' : 'reading',
    records: parts.reduce((sum, { records }) => sum + records, 0),
    reachedAt: reached?.toISOString() ?? null,
    fraction: parts.reduce((sum, part) => sum + fractionOf(part), 0) / parts.length,
  };
}

function fractionOf({ completeUntil, windowSince, windowUntil, reachedAt }: KindProgress): number {
  if (completeUntil !== null) return 1;
  if (windowSince === null || windowUntil === null || reachedAt === null) return 0;
  const all = windowUntil.getTime() - windowSince.getTime();
  // A record may be slightly outside of the window, because clocks differ and times are whole seconds.
  const part = (windowUntil.getTime() - reachedAt.getTime()) / all;
  return Math.min(1, Math.max(0, part));
}
