import { playBatches, type BadSeed, type BatchRun } from '../../play-batches.js';
import type { PlayerOptions } from './player.js';
import { reportOf } from './report.js';

/** Seeds that a worker plays before it reports. */
const BATCH = { memory: 25, postgres: 5 } as const;
/**
 * Size of V8's memory for new objects. Most objects of a run are garbage when the run ends. With room for the objects
 * of several runs, V8 copies few of them.
 */
const YOUNG_MB = 64;

/** Plays seeds in several workers at once. */
export async function runSeeds(run: BatchRun & PlayerOptions): Promise<{ bad: BadSeed[]; report: string }> {
  const began = Date.now();
  const { store, features, declared } = run;
  const workerData: PlayerOptions = { store, features, declared };
  const totals = await playBatches(run, {
    file: new URL('./seeds-worker.js', import.meta.url),
    options: { workerData, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } },
    batch: BATCH[store],
  });
  return { bad: totals.bad, report: reportOf(totals, Date.now() - began) };
}
