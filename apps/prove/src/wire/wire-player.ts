import { Counts } from '../counts.js';
import type { Batch, BatchResult } from '../play-batches.js';
import type { StoreKind } from '../simulation/index.js';
import { playWire, type PlayedWire } from './play-wire.js';
import { VirtualTime } from './virtual-time.js';
import { openNonces, type WireNonces } from './wire-nonces.js';
import { WireStage } from './wire-stage.js';

/** One seed in this number of seeds is played twice, to check that a seed decides everything. */
const TWICE_EVERY = 25;

/** Plays seeds in this thread. The thread's timers are virtual from `open` on. */
export class WirePlayer {
  private constructor(
    private readonly store: StoreKind,
    private readonly nonces: WireNonces,
    private readonly stage: WireStage,
  ) {}

  /** @param store the source of nonces. */
  static async open(store: StoreKind): Promise<WirePlayer> {
    const time = new VirtualTime();
    const nonces = await openNonces(store, time);
    time.install();
    return new WirePlayer(store, nonces, new WireStage(time, nonces));
  }

  async playAll({ from, seeds }: Batch): Promise<BatchResult> {
    const counts = new Counts();
    const bad: BatchResult['bad'] = [];
    for (let seed = from; seed < from + seeds; seed++) {
      const { violations, ...played } = await this.play(seed);
      // The order in which a real database answers two statements does not follow from the seed, so only runs with
      // nonces in memory are compared.
      if (this.store === 'memory' && seed % TWICE_EVERY === 0) {
        const { fingerprint } = await this.play(seed);
        if (fingerprint !== played.fingerprint)
          violations.push('the same seed gave another result when it was played again');
      }
      counts.addAll(played.counts);
      if (violations.length > 0) bad.push({ seed, violations });
    }
    return { bad, counts: counts.toJSON() };
  }

  play(seed: number, trace?: (line: string) => void): Promise<PlayedWire> {
    return playWire(this.stage, seed, trace);
  }

  close(): Promise<void> {
    return this.nonces.close();
  }
}
