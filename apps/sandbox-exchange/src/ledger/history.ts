interface Entry {
  time: number;
  id: string;
}

interface Filter<T> {
  /** Epoch milliseconds; both bounds are inclusive. */
  since: number;
  until: number;
  /** Absent = all records of the period match. */
  matches?: ((record: T) => boolean) | undefined;
}

export interface PageQuery<T> extends Filter<T> {
  /** The id of the last record of the previous page; null for the first page. */
  cursor: string | null;
  /** The number of matching records before the page, newest first; absent = 0. Only without a cursor. */
  skipped?: number;
  limit: number;
}

interface Page<T> {
  records: T[];
  /** Whether older records follow. */
  more: boolean;
}

/** The cursor is not the id of a record that matches the query. */
export class UnknownCursor extends Error {}

interface Keys<T> {
  idOf: (record: T) => string;
  /** Epoch milliseconds. */
  timeOf: (record: T) => number;
}

/**
 * The records of one kind of one account, by id and in order of time. Reading a page takes time in proportion to its
 * size, wherever it lies. With `matches`, the skipped records and those that do not match take time, too.
 */
export class History<T> {
  private readonly records = new Map<string, T>();
  /** Oldest first; entries of the same moment stay in order of arrival. */
  private readonly order: Entry[] = [];
  private isSorted = true;

  constructor(private readonly keys: Keys<T>) {}

  /** Adds a record, or replaces the record with the same id, whose place in the order stays unchanged. */
  set(record: T): void {
    const id = this.keys.idOf(record);
    if (!this.records.has(id)) {
      const time = this.keys.timeOf(record);
      this.isSorted &&= time >= (this.order.at(-1)?.time ?? -Infinity);
      this.order.push({ time, id });
    }
    this.records.set(id, record);
  }

  get(id: string): T | undefined {
    return this.records.get(id);
  }

  get size(): number {
    return this.records.size;
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
    return entries.map(({ id }) => this.records.get(id)).filter((record) => record !== undefined);
  }

  newest(count: number): T[] {
    return this.page({ since: -Infinity, until: Infinity, cursor: null, limit: count }).records;
  }

  /**
   * Returns records newest first.
   * @throws UnknownCursor
   */
  page({ cursor, skipped = 0, limit, ...filter }: PageQuery<T>): Page<T> {
    this.sort();
    const end = cursor === null ? this.firstIndex((time) => time > filter.until) : this.indexOf(cursor, filter);
    // Without a condition, the place of the page is known.
    const jumped = filter.matches === undefined ? skipped : 0;
    const records: T[] = [];
    let before = skipped - jumped;
    for (let index = end - 1 - jumped; index >= 0; index -= 1) {
      const entry = this.order[index];
      if (entry === undefined || entry.time < filter.since) break;
      const record = this.records.get(entry.id);
      if (record === undefined || filter.matches?.(record) === false) continue;
      if (before > 0) before -= 1;
      else if (records.length === limit) return { records, more: true };
      else records.push(record);
    }
    return { records, more: false };
  }

  /** The number of records that match. */
  count({ since, until, matches }: Filter<T>): number {
    this.sort();
    const [first, end] = [this.firstIndex((time) => time >= since), this.firstIndex((time) => time > until)];
    if (matches === undefined) return Math.max(0, end - first);
    return this.page({ since, until, matches, cursor: null, limit: Infinity }).records.length;
  }

  private sort(): void {
    if (!this.isSorted) this.order.sort((a, b) => a.time - b.time);
    this.isSorted = true;
  }

  private indexOf(cursor: string, { since, until, matches }: Filter<T>): number {
    const record = this.records.get(cursor);
    const time = record === undefined ? NaN : this.keys.timeOf(record);
    const isOfPeriod = time >= since && time <= until;
    if (record === undefined || !isOfPeriod || matches?.(record) === false) throw new UnknownCursor();
    let index = this.firstIndex((other) => other >= time);
    while (this.order[index]?.id !== cursor) index += 1;
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
