import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database } from '#platform/database';

/** Deletes the stored responses of idempotent requests whose time is over. */
@Injectable()
export class EraseExpiredResponses {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Deletes batch by batch and is safe to run twice or concurrently. @returns the number of deleted rows */
  async execute(): Promise<number> {
    const batch = this.config.constants.IDEMPOTENCY_SWEEP_BATCH;
    let total = 0;
    for (;;) {
      const erased = await this.eraseBatch(batch);
      total += erased;
      if (erased < batch) return total;
    }
  }

  private async eraseBatch(size: number): Promise<number> {
    const erased = await this.db.query(
      `delete from idempotent_answers where (project_id, key) in (
         select project_id, key from idempotent_answers where expires_at <= $1
         order by expires_at limit $2 for update skip locked)
       returning key`,
      [this.clock.now(), size],
    );
    return erased.length;
  }
}
