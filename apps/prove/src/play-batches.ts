import { parentPort, type WorkerOptions } from 'node:worker_threads';
import { Counts } from './counts.js';
import { startWorker } from './own-workers.js';

/** Number of bad seeds after which the run ends. */
const BAD_MAX = 20;
const PROGRESS_MS = 5_000;

/** Seeds that a worker plays before it reports. */
export interface Batch {
  from: number;
  seeds: number;
}

export interface BadSeed {
  seed: number;
  violations: string[];
}

export interface BatchResult {
  bad: BadSeed[];
  counts: Record<string, number>;
}

/** The sums over the runs of many seeds. */
export interface Totals {
  seeds: number;
  bad: BadSeed[];
  counts: Counts;
}

export interface BatchRun {
  seeds: number;
  from: number;
  /** Number of worker threads. */
  jobs: number;
  /** Whether to end after the first bad seed. */
  stopsAtFirst: boolean;
  log: (line: string) => void;
}

/**
 * Plays seeds in several worker threads at once. Which thread plays a seed does not change its result.
 * @param worker the file that calls `serveBatches`, the options of its threads, and the seeds of one batch.
 */
export async function playBatches(
  { seeds, from, jobs, stopsAtFirst, log }: BatchRun,
  worker: { file: URL; options: WorkerOptions; batch: number },
): Promise<Totals> {
  const totals: Totals = { seeds: 0, bad: [], counts: new Counts() };
  let next = from;
  const take = (): Batch | null => {
    const count = Math.min(worker.batch, from + seeds - next);
    if (totals.bad.length >= (stopsAtFirst ? 1 : BAD_MAX) || count <= 0) return null;
    next += count;
    return { from: next - count, seeds: count };
  };
  const play = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const thread = startWorker(worker.file, worker.options);
      let playing: Batch | null = null;
      thread.on('message', (message: BatchResult | 'ready') => {
        if (message !== 'ready') {
          totals.seeds += playing?.seeds ?? 0;
          totals.bad.push(...message.bad);
          totals.counts.addAll(message.counts);
        }
        playing = take();
        thread.postMessage(playing ?? 'end');
      });
      thread.on('error', reject);
      thread.on('exit', (code) =>
        code === 0 ? resolve() : reject(new Error(`a worker thread ended with the code ${code}`)),
      );
    });
  const progress = setInterval(() => log(`${totals.seeds} of ${seeds} seeds, ${totals.bad.length} bad`), PROGRESS_MS);
  try {
    await Promise.all(Array.from({ length: jobs }, play));
  } finally {
    clearInterval(progress);
  }
  totals.bad.sort((a, b) => a.seed - b.seed);
  return totals;
}

/** Runs in a worker thread of `playBatches`: plays the batches that the main thread sends. */
export function serveBatches(play: (batch: Batch) => Promise<BatchResult>, close: () => Promise<void>): void {
  const port = parentPort;
  if (port === null) throw new Error('batches are played in a worker thread');
  port.on('message', (batch: Batch | 'end') => {
    void (batch === 'end' ? close().then(() => port.close()) : play(batch).then((result) => port.postMessage(result)));
  });
  port.postMessage('ready');
}

/** The first line of a report. */
export function summaryOf({ seeds, bad, counts }: Totals, millis: number): string {
  const perSecond = Math.round((seeds * 1_000) / Math.max(1, millis));
  const steps = counts.of('steps');
  const played = steps === 0 ? `${seeds} seeds` : `${seeds} seeds, ${steps} steps`;
  return `${played} in ${(millis / 1_000).toFixed(1)} s (${perSecond} seeds a second): ${bad.length} bad`;
}
