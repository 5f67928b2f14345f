import { Counts } from '../../counts.js';
import { serveBatches, type Batch, type BatchResult } from '../../play-batches.js';
import { OrderPlayer } from './order-player.js';

/** One seed in this number of seeds is played twice, to check that a seed decides everything. */
const TWICE_EVERY = 50;
// Stack traces of simulated faults are never read.
Error.stackTraceLimit = 0;

const player = new OrderPlayer();

serveBatches(play, () => Promise.resolve());

async function play({ from, seeds }: Batch): Promise<BatchResult> {
  const counts = new Counts();
  const bad: BatchResult['bad'] = [];
  for (let seed = from; seed < from + seeds; seed++) {
    const { violations, fingerprint, steps, counts: counted } = await player.play(seed);
    if (seed % TWICE_EVERY === 0 && (await player.play(seed)).fingerprint !== fingerprint)
      violations.push('the same seed gave another run when it was played again');
    counts.add('steps', steps);
    counts.addAll(counted);
    if (violations.length > 0) bad.push({ seed, violations });
  }
  return { bad, counts: counts.toJSON() };
}
