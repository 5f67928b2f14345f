interface Entry {
  time: number;
  refid: string;
}

interface Filter<T> {
  /** Epoch milliseconds; both bounds are inclusive. */
  since: number;
  until: number;
  matches: (record: T) => boolean;
}

export interface PageQuery<T> extends Filter<T> {
  /** The last refid of the previous page; null for the first page. */
  cursor: string | null;
  limit: number;
}

interface Page<T> {
  records: T[];
  /** Whether older records follow. */
  more: boolean;
}

/** The cursor is not the id of a record that matches the query. */
export class UnknownCursor extends Error {}

/**
 * The deposits or withdrawals of one account, by refid and in order of time. Reading a page takes time in proportion to
 * its size.
 */
export class History<T extends { refid: string }> {
  private readonly records = new Map<string, T>();
  /** Oldest first; entries of the same moment stay in order of arrival. */
  private readonly order: Entry[] = [];
  private isSorted = true;

  constructor(private readonly timeOf: (record: T) => number) {}

  /** Adds a record, or replaces the record with the same refid, whose place in the order stays unchanged. */
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

  /** All records in order of arrival. */
  values(): IterableIterator<T> {
    return this.records.values();
  }

  /** At most `limit` records since a moment (epoch milliseconds, inclusive), oldest first. */
  oldestSince(since: number, limit: number): T[] {
    this.sort();
    const first = this.firstIndex((time) => time >= since);
    const entries = this.order.slice(first, first + limit);
    return entries.map(({ refid }) => this.records.get(refid)).filter((record) => record !== undefined);
  }

  newest(count: number): T[] {
    return this.page({ since: -Infinity, until: Infinity, matches: () => true, cursor: null, limit: count }).records;
  }

  /**
   * Returns records newest first.
   * @throws UnknownCursor
   */
  page({ cursor, limit, ...filter }: PageQuery<T>): Page<T> {
    this.sort();
    const end = cursor === null ? this.firstIndex((time) => time > filter.until) : this.indexOf(cursor, filter);
    const records: T[] = [];
    for (let index = end - 1; index >= 0; index -= 1) {
      const entry = this.order[index];
      if (entry === undefined || entry.time < filter.since) break;
      const record = this.records.get(entry.refid);
      if (record === undefined || !filter.matches(record)) continue;
      if (records.length === limit) return { records, more: true };
      records.push(record);
    }
    return { records, more: false };
  }

  private sort(): void {
    if (!this.isSorted) this.order.sort((a, b) => a.time - b.time);
    this.isSorted = true;
  }

  private indexOf(cursor: string, { since, until, matches }: Filter<T>): number {
    const record = this.records.get(cursor);
    const time = record === undefined ? NaN : this.timeOf(record);
    if (record === undefined || !(time >= since && time <= until && matches(record))) throw new UnknownCursor();
    let index = this.firstIndex((other) => other >= time);
    while (this.order[index]?.refid !== cursor) index += 1;
    return index;
  }

  /** Index of the oldest entry whose time matches; the times of all later entries match, too. */
  private firstIndex(isMatch: (time: number) => boolean): number {
    let [low, high] = [0, this.order.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isMatch(this.order[middle]?.time ?? Infinity)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
