import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';

/** How long one call keeps the others waiting at most, also when its process has died. */
const TURN_MS = 5_000;
/** Between two looks at a turn that another call has. */
const POLL_MS = 50;

/**
 * Lets executions of one quote, from however many processes, go one after the other, so that the exchange is asked once
 * and not once for each. It only saves calls: when a turn takes too long the next one begins beside it, and nothing that
 * keeps money safe rests on it.
 */
@Injectable()
export class QuoteTurns {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  async run<T>(quoteId: string, work: () => Promise<T>): Promise<T> {
    const waitsUntil = this.clock.now().getTime() + TURN_MS;
    let until = await this.take(quoteId);
    while (until === null && this.clock.now().getTime() < waitsUntil) {
      await this.clock.sleep(POLL_MS);
      until = await this.take(quoteId);
    }
    try {
      return await work();
    } finally {
      if (until !== null) await this.release(quoteId, until);
    }
  }

  private async take(quoteId: string): Promise<Date | null> {
    const now = this.clock.now();
    const until = new Date(now.getTime() + TURN_MS);
    const rows = await this.db.query(
      `insert into quote_turns as turn (quote_id, until) values ($1, $3)
       on conflict (quote_id) do update set until = $3 where turn.until <= $2 returning quote_id`,
      [quoteId, now, until],
    );
    return rows.length === 1 ? until : null;
  }

  private async release(quoteId: string, until: Date): Promise<void> {
    // One that cannot be given back ends by itself; what the work has found out is not lost for that.
    await this.db
      .query(`delete from quote_turns where quote_id = $1 and until = $2`, [quoteId, until])
      .catch(() => undefined);
  }
}
