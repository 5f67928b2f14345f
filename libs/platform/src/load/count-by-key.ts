/**
 * Counts things in progress by a key, such as the connections of each address. A key with the count 0 uses no memory.
 */
export class CountByKey {
  private readonly counts = new Map<string, number>();

  of(key: string): number {
    return this.counts.get(key) ?? 0;
  }

  /** The counts of all keys with a count above 0. */
  values(): Iterable<number> {
    return this.counts.values();
  }

  add(key: string): void {
    this.counts.set(key, this.of(key) + 1);
  }

  remove(key: string): void {
    const left = this.of(key) - 1;
    if (left > 0) this.counts.set(key, left);
    else this.counts.delete(key);
  }
}
