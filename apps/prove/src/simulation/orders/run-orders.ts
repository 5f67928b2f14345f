import { playBatches, summaryOf, type BadSeed, type BatchRun } from '../../play-batches.js';

/** Seeds that a worker plays before it reports. */
const BATCH = 25;
/** Size of V8's memory for new objects; see `run-seeds.ts`. */
const YOUNG_MB = 64;

/** Plays seeds of orders in several workers at once. */
export async function runOrders(run: BatchRun): Promise<{ bad: BadSeed[]; report: string }> {
  const began = Date.now();
  const totals = await playBatches(run, {
    file: new URL('./orders-worker.js', import.meta.url),
    options: { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } },
    batch: BATCH,
  });
  const listOf = (kind: string): string =>
    totals.counts
      .under(kind)
      .map(([name, times]) => `${name} ${times}`)
      .join(', ') || 'none';
  const report = [
    summaryOf(totals, Date.now() - began),
    `seeds in which a fault affected an order: ${listOf('fault')}`,
    `orders by final state: ${listOf('end')}`,
    `unknown outcomes: ${listOf('unknown,')}`,
    `answers: ${listOf('answer')}`,
    `deaths: ${listOf('died')}`,
  ].join('\n');
  return { bad: totals.bad, report };
}
