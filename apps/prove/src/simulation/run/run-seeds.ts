import { startWorker } from '../../own-workers.js';
import { Counts } from './counts.js';
import type { PlayerOptions } from './player.js';
import { reportOf, type BadSeed, type Totals } from './report.js';

/** Seeds that a worker plays before it reports. */
const BATCH = { memory: 250, postgres: 5 } as const;
/** Number of bad seeds after which the run ends. */
const BAD_MAX = 20;
const PROGRESS_MS = 5_000;
/**
 * Size of V8's memory for new objects. Most objects of a run are garbage when the run ends. With room for the objects
 * of several runs, V8 copies few of them.
 */
const YOUNG_MB = 64;

export interface SeedRun extends PlayerOptions {
  seeds: number;
  from: number;
  jobs: number;
  /** Whether to end with the first bad seed. */
  stopsAtFirst?: boolean;
  log: (line: string) => void;
}

export interface SeedsResult extends Totals {
  millis: number;
  report: string;
}

export interface Batch {
  from: number;
  seeds: number;
}

export interface BatchResult {
  seeds: number;
  steps: number;
  bad: BadSeed[];
  counts: Record<string, number>;
}

/** Plays seeds in several workers at once. Which worker plays a seed does not change its result. */
export async function runSeeds(run: SeedRun): Promise<SeedsResult> {
  const began = Date.now();
  const { store, features, declared } = run;
  const totals: Totals = { seeds: 0, steps: 0, bad: [], counts: new Counts() };
  let next = run.from;
  const take = (): Batch | null => {
    const isEnough = totals.bad.length >= (run.stopsAtFirst === true ? 1 : BAD_MAX);
    const seeds = Math.min(BATCH[store], run.from + run.seeds - next);
    if (isEnough || seeds <= 0) return null;
    next += seeds;
    return { from: next - seeds, seeds };
  };
  const add = ({ seeds, steps, bad, counts }: BatchResult): void => {
    totals.seeds += seeds;
    totals.steps += steps;
    totals.bad.push(...bad);
    totals.counts.addAll(counts);
  };
  const progress = setInterval(
    () => run.log(`${totals.seeds} of ${run.seeds} seeds, ${totals.bad.length} bad`),
    PROGRESS_MS,
  );
  try {
    await Promise.all(Array.from({ length: run.jobs }, () => work({ store, features, declared }, take, add)));
  } finally {
    clearInterval(progress);
  }
  totals.bad.sort((a, b) => a.seed - b.seed);
  const millis = Date.now() - began;
  return { ...totals, millis, report: reportOf(totals, millis) };
}

function work(order: PlayerOptions, take: () => Batch | null, add: (result: BatchResult) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = startWorker(new URL('./seeds-worker.js', import.meta.url), {
      workerData: order,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    worker.on('message', (message: BatchResult | 'ready') => {
      if (message !== 'ready') add(message);
      worker.postMessage(take() ?? 'end');
    });
    worker.on('error', reject);
    worker.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`a worker thread ended with the code ${code}`)),
    );
  });
}
