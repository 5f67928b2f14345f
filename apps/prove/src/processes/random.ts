/** Random numbers from a seed, by mulberry32, which is short and good enough for choices. */
export class Random {
  private state: number;

  constructor(seed: number) {
    // Without this mixing, neighbouring seeds would give similar sequences.
    this.state = Math.imul(seed, 0x9e3779b1) ^ 0x5bd1e995;
  }

  /** Returns a number from 0 up to, but not including, 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Returns a whole number from `min` to `max`, both included. */
  between(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(from: readonly [T, ...T[]]): T {
    return from[this.between(0, from.length - 1)] ?? from[0];
  }

  /** Returns a list with one of the items; the list is empty when there are no items. */
  some<T>(from: readonly T[]): T[] {
    const index = this.between(0, from.length - 1);
    return from.slice(index, index + 1);
  }
}
