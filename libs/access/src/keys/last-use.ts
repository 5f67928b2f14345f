import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database } from '#platform/database';
import { logFailedWork } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';

/** Notes when keys are used: rarely, and never in the way of the request. */
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

  /** Returns at once; at most one write for each key and API_KEY_LAST_USE_INTERVAL_MS, whatever the number of processes. */
  note(apiKeyId: string): void {
    const now = this.clock.now();
    const before = this.noted.get(apiKeyId);
    if (before !== undefined && now.getTime() - before < this.intervalMs) return;
    this.noted.set(apiKeyId, now.getTime());
    const write = this.write(apiKeyId, now).finally(() => this.writing.delete(write));
    this.writing.add(write);
  }

  /** Resolves when what was noted is written. */
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
      logFailedWork(this.logger, error, 'last use of an API key was not noted', { apiKeyId });
    }
  }
}
