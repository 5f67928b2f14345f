import { SharedRuns } from '#platform/lifecycle';
import { topicKey, type TopicName } from '#platform/events';

/** Maximum number of listeners whose topics one check looks up: the oldest ones. */
const CHECKED_MAX = 1_000;
/** Shortest time between two checks. A flood of new listeners therefore causes few statements. */
const CHECK_EVERY_MS = 1_000;
/** Number of listeners without an API key that one topic keeps when places run out. */
const KEYLESS_PER_TOPIC = 10;

export interface ExpendableListener {
  readonly subscription: TopicName;
  readonly isKeyless: boolean;
  /** Whether the topic is known to exist. It never becomes false again. */
  topicExists: boolean;
}

interface Sources<Listener> {
  /** All listeners, oldest first. */
  open: () => readonly Listener[];
  isOpen: (listener: Listener) => boolean;
  existing: (topics: readonly TopicName[]) => Promise<readonly TopicName[]>;
  nowMs: () => number;
}

/**
 * Finds the listeners that are let go first when places run out: those of topics that do not exist, oldest first, then
 * listeners without an API key above KEYLESS_PER_TOPIC of one topic.
 */
export class ExpendableListeners<Listener extends ExpendableListener> {
  private found: Listener[] = [];
  /** Those of the found listeners whose topics exist. */
  private surplus = new Set<Listener>();
  private checkedAt = -Infinity;
  private readonly checks = new SharedRuns(() => this.check());

  constructor(private readonly sources: Sources<Listener>) {}

  /** Searches again, unless the last search is recent or has results left. */
  async refresh(): Promise<void> {
    if (this.found.some((listener) => this.isExpendable(listener))) return;
    if (!this.isDue()) return;
    await this.checks.run();
  }

  /** Returns the next listener to let go; null = none is known. @param onlyKeyless without listeners that have a key */
  next({ onlyKeyless }: { onlyKeyless: boolean }): Listener | null {
    this.found = this.found.filter((listener) => this.isExpendable(listener));
    const index = this.found.findIndex(({ isKeyless }) => isKeyless);
    if (index >= 0) return this.found.splice(index, 1)[0] ?? null;
    return onlyKeyless ? null : (this.found.shift() ?? null);
  }

  private isDue(): boolean {
    return this.sources.nowMs() - this.checkedAt >= CHECK_EVERY_MS;
  }

  private async check(): Promise<void> {
    if (!this.isDue()) return;
    this.checkedAt = this.sources.nowMs();
    const unseen = this.sources
      .open()
      .filter(({ topicExists }) => !topicExists)
      .slice(0, CHECKED_MAX);
    const existing = await this.sources.existing(unseen.map(({ subscription }) => subscription));
    const keys = new Set(existing.map(keyOf));
    for (const listener of unseen) if (keys.has(keyOf(listener.subscription))) listener.topicExists = true;
    this.surplus = new Set(this.surplusOf(this.sources.open()));
    this.found = [...unseen.filter(({ topicExists }) => !topicExists), ...this.surplus];
  }

  private *surplusOf(open: Iterable<Listener>): Iterable<Listener> {
    const counts = new Map<string, number>();
    for (const listener of open) {
      if (!listener.isKeyless || !listener.topicExists) continue;
      const key = keyOf(listener.subscription);
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      if (count > KEYLESS_PER_TOPIC) yield listener;
    }
  }

  private isExpendable(listener: Listener): boolean {
    return this.sources.isOpen(listener) && (!listener.topicExists || this.surplus.has(listener));
  }
}

function keyOf({ organizationId, topic }: TopicName): string {
  return topicKey(organizationId, topic);
}
