import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database } from '#platform/database';
import { logFailedWork } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';

/** Records when keys are used, at most once per interval, and without delaying the request. */
@Injectable()
export class LastUse implements BeforeApplicationShutdown {
  private readonly noted: LRUCache<string, number>;
  private readonly writing = new Set<Promise<void>>();
  private readonly intervalMs: number;

  constructor(
    { values }: Config,
    private readonly db: Database,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.intervalMs = values.API_KEY_LAST_USE_INTERVAL_MS;
    this.noted = new LRUCache({ max: values.API_KEY_CACHE_MAX });
  }

  /** Returns at once. Each key causes at most one write per API_KEY_LAST_USE_INTERVAL_MS, over all processes. */
  note(apiKeyId: string): void {
    const now = this.clock.now();
    const before = this.noted.get(apiKeyId);
    if (before !== undefined && now.getTime() - before < this.intervalMs) return;
    this.noted.set(apiKeyId, now.getTime());
    const write = this.write(apiKeyId, now).finally(() => this.writing.delete(write));
    this.writing.add(write);
  }

  /** Resolves when all pending writes are done. */
  async settled(): Promise<void> {
    await Promise.all(this.writing);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.settled();
  }

  private async write(apiKeyId: string, at: Date): Promise<void> {
    try {
      await this.db.query(
        `update api_keys set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at <= $3)`,
        [apiKeyId, at, new Date(at.getTime() - this.intervalMs)],
      );
    } catch (error) {
      logFailedWork(this.logger, error, 'the last use of an API key was not stored', { apiKeyId });
    }
  }
}
