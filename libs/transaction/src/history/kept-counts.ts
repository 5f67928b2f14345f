import { LRUCache } from 'lru-cache';
import type { Clock } from '#platform/clock';
import { logFailedWork } from '#platform/errors';
import type { Logger } from '#platform/logging';

/** Counts above this number are kept and refreshed in the background, because counting them is slow. */
export const COUNT_KEPT_FROM = 10_000;
/** Longest time for which such a count is returned. After that, the next call counts again. */
const KEPT_MS = 600_000;
/** Counts above this number are kept, too, but only for a moment: counting them takes longer than reading a page. */
const BRIEFLY_KEPT_FROM = 500;
const BRIEFLY_KEPT_MS = 1_000;
/** A count that is older than this is refreshed, while calls still get the old count. */
const FRESH_MS = 10_000;
/**
 * A count stays fresh for at least this many times the duration of its counting, so that refreshing takes at most a
 * twentieth of the time.
 */
const FRESH_TIMES = 20;
/** Maximum number of counts that one API process keeps. */
const COUNTS_MAX = 10_000;

interface KeptCount {
  count: number;
  countedAtMs: number;
  tookMs: number;
}

/** Keeps the counts of long lists. Only the first call waits until the rows are counted. */
export class KeptCounts {
  private readonly kept = new LRUCache<string, KeptCount>({ max: COUNTS_MAX });
  private readonly running = new Map<string, Promise<number>>();
  private isRefreshing = false;

  constructor(
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** @param count counts the rows again. @returns undefined when no count is kept. */
  find(name: string, count: () => Promise<number>): number | undefined {
    const found = this.kept.get(name);
    if (found === undefined) return undefined;
    const ageMs = this.clock.monotonicMs() - found.countedAtMs;
    if (ageMs >= (found.count > COUNT_KEPT_FROM ? KEPT_MS : BRIEFLY_KEPT_MS)) return undefined;
    const isFresh = ageMs < Math.max(FRESH_MS, FRESH_TIMES * found.tookMs);
    if (!isFresh && !this.isRefreshing) this.refresh(name, count);
    return found.count;
  }

  /**
   * Keeps a count of at most COUNT_KEPT_FROM rows for BRIEFLY_KEPT_MS. A count up to BRIEFLY_KEPT_FROM is not kept,
   * because counting so few rows is fast.
   */
  keepBriefly(name: string, count: number): void {
    if (count > BRIEFLY_KEPT_FROM) this.kept.set(name, { count, countedAtMs: this.clock.monotonicMs(), tookMs: 0 });
    else this.kept.delete(name);
  }

  /** Counts the rows, and keeps the count when it is above COUNT_KEPT_FROM. Simultaneous calls share one count. */
  count(name: string, count: () => Promise<number>): Promise<number> {
    const running = this.running.get(name);
    if (running !== undefined) return running;
    const started = this.measure(name, count).finally(() => this.running.delete(name));
    this.running.set(name, started);
    return started;
  }

  /** One refresh runs at a time, so that counting long lists leaves the database free for other work. */
  private refresh(name: string, count: () => Promise<number>): void {
    this.isRefreshing = true;
    this.count(name, count)
      .catch((error: unknown) =>
        logFailedWork(this.logger, error, 'the stored count of the transactions of a long list was not refreshed'),
      )
      .finally(() => {
        this.isRefreshing = false;
      });
  }

  private async measure(name: string, count: () => Promise<number>): Promise<number> {
    const beganMs = this.clock.monotonicMs();
    const counted = await count();
    const countedAtMs = this.clock.monotonicMs();
    if (counted > COUNT_KEPT_FROM) this.kept.set(name, { count: counted, countedAtMs, tookMs: countedAtMs - beganMs });
    else this.kept.delete(name);
    return counted;
  }
}
