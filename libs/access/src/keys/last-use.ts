import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '#platform/clock';
import { Database, runForProject } from '#platform/database';
import { logFailedWork } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { KEYS_MAX } from './api-key-lookup.js';

/** Least time between two writes of the time when an API key was last used. */
const LAST_USE_INTERVAL_MS = 60_000;

/** Records when keys are used, at most once per interval, and without delaying the request. */
@Injectable()
export class LastUse implements BeforeApplicationShutdown {
  private readonly noted: LRUCache<string, number>;
  private readonly writing = new Set<Promise<void>>();

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.noted = new LRUCache({ max: KEYS_MAX });
  }

  /** Returns at once. Each key causes at most one write per LAST_USE_INTERVAL_MS, over all processes. */
  note(apiKeyId: string, projectId: string): void {
    const now = this.clock.now();
    const before = this.noted.get(apiKeyId);
    if (before !== undefined && now.getTime() - before < LAST_USE_INTERVAL_MS) return;
    this.noted.set(apiKeyId, now.getTime());
    const write = runForProject(projectId, () => this.write(apiKeyId, now)).finally(() => this.writing.delete(write));
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
        [apiKeyId, at, new Date(at.getTime() - LAST_USE_INTERVAL_MS)],
      );
    } catch (error) {
      logFailedWork(this.logger, error, 'the last use of an API key was not stored', { apiKeyId });
    }
  }
}
