import { Random as SeededRandom } from '../../processes/random.js';

/** Random numbers from a seed, with more methods of choosing. */
export class Random extends SeededRandom {
  /** Draws one of the items; null when there are none. */
  any<T>(from: readonly T[]): T | null {
    return from[this.between(0, from.length - 1)] ?? null;
  }

  /** Draws one of the keys, with a probability in proportion to its weight. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    const entries = Object.entries(weights) as [K, number][];
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [key, weight] of entries) {
      left -= weight;
      if (left < 0) return key;
    }
    throw new Error('no weights');
  }
}
