import { workerData } from 'node:worker_threads';
import { Counts } from '../../counts.js';
import { serveBatches, type Batch, type BatchResult } from '../../play-batches.js';
import { needsPostgres } from '../scenario/features.js';
import { Player, type PlayerOptions } from './player.js';

/** One seed in this number of seeds is played twice, to check that a seed decides everything. */
const TWICE_EVERY = 50;
const options = workerData as PlayerOptions;
const { store } = options;
// Stack traces of simulated faults are never read, and making them took a tenth of the time.
Error.stackTraceLimit = 0;

const player = await Player.open(options);
/** Plays seeds a second time, always on the database in memory. */
const replayer = store === 'memory' ? player : await Player.open({ ...options, store: 'memory' });

serveBatches(play, () => player.close());

async function play({ from, seeds }: Batch): Promise<BatchResult> {
  const counts = new Counts();
  const bad: BatchResult['bad'] = [];
  for (let seed = from; seed < from + seeds; seed++) {
    const result = await player.play(seed);
    const { violations } = result;
    // Played again in memory, a seed must give the same run. If the first run was on PostgreSQL, this also checks that
    // the database in memory behaves like PostgreSQL.
    const isPlayable = store === 'memory' ? seed % TWICE_EVERY === 0 : !needsPostgres(result.features);
    if (isPlayable) {
      const { fingerprint } = await replayer.play(seed);
      if (fingerprint !== result.fingerprint)
        violations.push('the run in memory differs from the first run of the seed');
    }
    counts.add('steps', result.steps);
    counts.addAll(result.counts);
    if (violations.length > 0) bad.push({ seed, violations });
  }
  return { bad, counts: counts.toJSON() };
}
