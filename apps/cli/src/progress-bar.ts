import type { SyncProgress } from '#wallet';

const CELLS = 30;

/** One line: a bar, the part of the time that was read, how many records, and back to when. */
export function describeProgress(progress: SyncProgress | null): string {
  if (progress === null) return `history ${bar(0)}   0.0 %  not begun`;
  const { fraction, records, reachedAt, state } = progress;
  const percent = `${(fraction * 100).toFixed(1)} %`.padStart(7);
  const back = reachedAt === null ? '' : `, back to ${reachedAt.slice(0, 10)}`;
  const end = state === 'complete' ? ', complete' : '';
  return `history ${bar(fraction)} ${percent}  ${records.toLocaleString('en-US')} records${back}${end}`;
}

function bar(fraction: number): string {
  const full = Math.floor(fraction * CELLS);
  return `[${'#'.repeat(full)}${'.'.repeat(CELLS - full)}]`;
}
