interface Entry {
  time: number;
  refid: string;
}

interface Asked<T> {
  /** Epoch milliseconds, both inclusive. */
  since: number;
  until: number;
  matches: (record: T) => boolean;
}

export interface PageQuery<T> extends Asked<T> {
  /** The last refid of the page before; null = the first page. */
  cursor: string | null;
  limit: number;
}

interface Page<T> {
  records: T[];
  /** Whether older ones follow. */
  more: boolean;
}

/** The cursor is none of what the query asks for. */
export class UnknownCursor extends Error {}

/** The deposits or withdrawals of one account: by refid, and in the order of time, so that a page costs what it shows. */
export class History<T extends { refid: string }> {
  private readonly records = new Map<string, T>();
  /** The oldest first; those of one moment in the order in which they came. */
  private readonly order: Entry[] = [];
  private isSorted = true;

  constructor(private readonly timeOf: (record: T) => number) {}

  /** Replaces the one of the same refid, whose time stays. */
  set(record: T): void {
    const { refid } = record;
    if (!this.records.has(refid)) {
      const time = this.timeOf(record);
      this.isSorted &&= time >= (this.order.at(-1)?.time ?? -Infinity);
      this.order.push({ time, refid });
    }
    this.records.set(refid, record);
  }

  get(refid: string): T | undefined {
    return this.records.get(refid);
  }

  /** In the order in which they came. */
  values(): IterableIterator<T> {
    return this.records.values();
  }

  newest(count: number): T[] {
    return this.page({ since: -Infinity, until: Infinity, matches: () => true, cursor: null, limit: count }).records;
  }

  /**
   * The newest first.
   * @throws UnknownCursor
   */
  page({ cursor, limit, ...asked }: PageQuery<T>): Page<T> {
    this.sort();
    const end = cursor === null ? this.firstIndex((time) => time > asked.until) : this.indexOf(cursor, asked);
    const records: T[] = [];
    for (let index = end - 1; index >= 0; index -= 1) {
      const entry = this.order[index];
      if (entry === undefined || entry.time < asked.since) break;
      const record = this.records.get(entry.refid);
      if (record === undefined || !asked.matches(record)) continue;
      if (records.length === limit) return { records, more: true };
      records.push(record);
    }
    return { records, more: false };
  }

  private sort(): void {
    if (!this.isSorted) this.order.sort((a, b) => a.time - b.time);
    this.isSorted = true;
  }

  private indexOf(cursor: string, { since, until, matches }: Asked<T>): number {
    const record = this.records.get(cursor);
    const time = record === undefined ? NaN : this.timeOf(record);
    if (record === undefined || !(time >= since && time <= until && matches(record))) throw new UnknownCursor();
    let index = this.firstIndex((other) => other >= time);
    while (this.order[index]?.refid !== cursor) index += 1;
    return index;
  }

  /** Of the oldest entry whose time is such; all later ones are, too. */
  private firstIndex(isSuch: (time: number) => boolean): number {
    let [low, high] = [0, this.order.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isSuch(this.order[middle]?.time ?? Infinity)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
