import { playBatches, summaryOf, type BadSeed, type BatchRun, type Totals } from '../play-batches.js';
import type { StoreKind } from '../simulation/index.js';
import { cells } from './wire-plan.js';

const BATCH = 10;

/** Plays seeds in several threads at once. @param run.store the source of nonces */
export async function runWire(run: BatchRun & { store: StoreKind }): Promise<{ bad: BadSeed[]; report: string }> {
  const began = Date.now();
  const file = new URL('./wire-worker.js', import.meta.url);
  const totals = await playBatches(run, { file, options: { workerData: run.store }, batch: BATCH });
  return { bad: totals.bad, report: reportOf(totals, Date.now() - began) };
}

function reportOf(totals: Totals, millis: number): string {
  const { counts } = totals;
  const list = (kind: string): string =>
    counts
      .under(kind)
      .map(([name, times]) => `${name} ${times}`)
      .join(', ');
  const visited = new Set(counts.under('cell').map(([name]) => name));
  const missing = cells.filter((cell) => !visited.has(cell));
  return [
    summaryOf(totals, millis),
    `submissions by their outcome: ${list('outcome')}`,
    `connections of submissions: ${list('connect')}`,
    `reads: ${list('read')}`,
    `cells of delivery × answer visited: ${cells.length - missing.length} of ${cells.length}`,
    ...(missing.length === 0 ? [] : [`not visited: ${missing.join(', ')}`]),
  ].join('\n');
}
