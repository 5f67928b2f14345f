import type { Logger } from '#platform/logging';
import type { Metrics } from '#platform/metrics';

/** Counts the entries of exchanges' lists that could not be read. A process logs each list only once. */
export class UnreadableEntries {
  private readonly entries;
  private readonly logged = new Set<string>();

  constructor(
    metrics: Metrics,
    private readonly logger: Logger,
  ) {
    this.entries = metrics.counter({
      name: 'causeway_exchange_unreadable_entries_total',
      help: 'Entries of exchanges’ lists of networks, addresses and balances that could not be read and were left out.',
      labels: ['exchange', 'list'],
    });
  }

  /** @param cause why the first of the entries is unreadable; it contains names of fields and no values */
  report(exchange: string, list: string, count: number, cause: string): void {
    this.entries.inc({ exchange, list }, count);
    const key = `${exchange} ${list}`;
    if (this.logged.has(key)) return;
    this.logged.add(key);
    this.logger.warn({ exchange, list, count, cause }, 'entries of a list of the exchange could not be read');
  }
}

/** Reads the lists of one exchange entry by entry. An unreadable entry is left out and does not affect the others. */
export class ListReader {
  constructor(
    private readonly exchange: string,
    private readonly unreadable: UnreadableEntries,
  ) {}

  /**
   * Reads a list in which a missing entry only means that we offer less, such as networks. Lists that prove something
   * (withdrawals, orders) must be complete, so they must not be read with this function. A list of balances must mark
   * the assets that it lacks.
   * @param list name of the list in metrics and logs
   * @param read throws when the entry is unreadable
   * @param mark makes the replacement of an unreadable entry; without it, the entry is left out
   * @throws when no entry can be read: then the list has another format
   */
  read<Entry, T>(
    list: string,
    entries: readonly Entry[],
    read: (entry: Entry) => T,
    mark: (entry: Entry) => T | null = () => null,
  ): T[] {
    const found: T[] = [];
    const problems: string[] = [];
    for (const entry of entries) {
      try {
        found.push(read(entry));
      } catch (error) {
        problems.push(fieldsOf(error));
        const marked = mark(entry);
        if (marked !== null) found.push(marked);
      }
    }
    const [first] = problems;
    if (first !== undefined) this.unreadable.report(this.exchange, list, problems.length, first);
    if (first !== undefined && problems.length === entries.length)
      throw new Error(`no entry of the list is readable; problem of the first: ${first}`);
    return found;
  }
}

/** The paths of the unreadable fields, without the values, which must not be logged. */
function fieldsOf(error: unknown): string {
  const issues: unknown = typeof error === 'object' && error !== null && 'issues' in error ? error.issues : null;
  if (!Array.isArray(issues)) return 'unreadable';
  return issues
    .flatMap(({ path }: { path?: PropertyKey[] }) => (path === undefined ? [] : [path.map(String).join('.')]))
    .join(', ');
}
