import type { SyncProgress } from '#wallet';

const CELLS = 30;

/** Returns one line: a bar, the share of the history that was read, the number of records, and the oldest date. */
export function describeProgress(progress: SyncProgress | null): string {
  if (progress === null) return `history ${bar(0)}   0.0 %  not begun`;
  const { fraction, records, reachedAt, state } = progress;
  const percent = `${(fraction * 100).toFixed(1)} %`.padStart(7);
  const back = reachedAt === null ? '' : `, back to ${reachedAt.slice(0, 10)}`;
  const end = state === 'complete' ? ', complete' : '';
  return `history ${bar(fraction)} ${percent}  ${records.toLocaleString('en-US')} records${back}${end}`;
}

/** Returns a bar of text. @param fraction from 0 to 1 */
export function bar(fraction: number): string {
  const full = Math.floor(fraction * CELLS);
  return `[${'#'.repeat(full)}${'.'.repeat(CELLS - full)}]`;
}
