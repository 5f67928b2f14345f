import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { waitOutside } from '#platform/load';
import { TurnLost } from './execution.errors.js';

/** How long one call keeps the others waiting at most, also when its process has died. */
const TURN_MS = 5_000;
/** Between two looks at a turn that another call has. */
const POLL_MS = 50;
/** Turns of processes that have died are kept this long. */
const STALE_MS = 3_600_000;

/**
 * Lets executions of one quote, from however many processes, go one after the other: the exchange is asked once, and
 * what a call says of the quote holds, because the call before it can begin nothing any more. A call that takes too long
 * loses its turn to the next one. That money leaves at most once does not rest on it.
 */
@Injectable()
export class QuoteTurns {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** @param work gets the name of its turn. */
  async run<T>(quoteId: string, work: (turn: string) => Promise<T>): Promise<T> {
    const turn = this.clock.newId();
    const waitsUntil = this.clock.now().getTime() + TURN_MS;
    // Whose clock ever the end of the other turn was written by: after as long as a turn takes, it is over.
    while (!(await this.take(quoteId, turn, this.clock.now().getTime() >= waitsUntil))) {
      await waitOutside(() => this.clock.sleep(POLL_MS));
    }
    try {
      return await work(turn);
    } finally {
      // One that cannot be given back ends by itself; what the work has found out is not lost for that.
      await this.release(quoteId, turn).catch(() => undefined);
    }
  }

  /**
   * In the transaction that claims the quote or begins an attempt: nobody else can take the turn before `tx` ends.
   * @throws TurnLost
   */
  async keep(tx: EntityManager, quoteId: string, turn: string): Promise<void> {
    const kept = await this.db.query(
      `select from quote_turns where quote_id = $1 and holder = $2 for update`,
      [quoteId, turn],
      tx,
    );
    if (kept.length === 0) throw new TurnLost();
  }

  async eraseStale(): Promise<number> {
    const before = new Date(this.clock.now().getTime() - STALE_MS);
    const erased = await this.db.query(`delete from quote_turns where until < $1 returning quote_id`, [before]);
    return erased.length;
  }

  private async take(quoteId: string, turn: string, isForced: boolean): Promise<boolean> {
    const now = this.clock.now();
    const rows = await this.db.query(
      `insert into quote_turns as t (quote_id, holder, until) values ($1, $2, $4)
       on conflict (quote_id) do update set holder = $2, until = $4 where t.until <= $3 or $5 returning quote_id`,
      [quoteId, turn, now, new Date(now.getTime() + TURN_MS), isForced],
    );
    return rows.length === 1;
  }

  private async release(quoteId: string, turn: string): Promise<void> {
    await this.db.query(`delete from quote_turns where quote_id = $1 and holder = $2`, [quoteId, turn]);
  }
}
