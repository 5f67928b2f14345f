import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '#platform/clock';
import { Database, type NamedStatement } from '#platform/database';
import { waitOutside } from '#platform/load';
import { LockLost } from './execution.errors.js';

/** Longest time that one call can make other calls wait, even when its process has died. */
const LOCK_MS = 5_000;
/** Pause between two attempts to take a lock that another call holds. */
const POLL_MS = 50;
/** Age after which a lock that a dead process has left is deleted. */
const STALE_MS = 3_600_000;

const TAKE: NamedStatement = {
  name: 'take execution lock',
  text: `insert into execution_locks as l (quote_id, holder, until) values ($1, $2, $4)
         on conflict (quote_id) do update set holder = $2, until = $4 where l.until <= $3 or $5 returning quote_id`,
};
const REQUIRE: NamedStatement = {
  name: 'require execution lock',
  text: 'select from execution_locks where quote_id = $1 and holder = $2 for update',
};
const RELEASE: NamedStatement = {
  name: 'release execution lock',
  text: 'delete from execution_locks where quote_id = $1 and holder = $2',
};

/**
 * Serializes the executions of one quote across all processes, so that only one call at a time queries the exchange. A
 * call that takes too long loses its lock to the next call and can then begin no attempt, so the result that the next
 * call reports stays true. The rule that money leaves at most once does not depend on these locks.
 */
@Injectable()
export class ExecutionLocks {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** Runs `work` under the lock of the quote. @param work gets the id of the lock's holder. */
  async run<T>(quoteId: string, work: (lockHolder: string) => Promise<T>): Promise<T> {
    const lockHolder = this.clock.newId();
    const waitsUntil = this.clock.now().getTime() + LOCK_MS;
    // A host with a wrong clock may have stored an end of its lock that is too late. So this call waits for at most
    // LOCK_MS by its own clock, and then takes the lock.
    while (!(await this.take(quoteId, lockHolder, this.clock.now().getTime() >= waitsUntil))) {
      await waitOutside(() => this.clock.sleep(POLL_MS));
    }
    try {
      return await work(lockHolder);
    } finally {
      // A lock that cannot be released expires; a failure here must not hide the result of `work`.
      await this.release(quoteId, lockHolder).catch(() => undefined);
    }
  }

  /**
   * Locks the row of the lock in the transaction that claims the quote or begins an attempt. No other call can take the
   * lock before `tx` ends.
   * @throws LockLost when another call holds the lock.
   */
  async requireHeld(tx: EntityManager, quoteId: string, lockHolder: string): Promise<void> {
    const held = await this.db.read(REQUIRE, [quoteId, lockHolder], tx);
    if (held.length === 0) throw new LockLost();
  }

  async eraseStale(): Promise<number> {
    const before = new Date(this.clock.now().getTime() - STALE_MS);
    const erased = await this.db.query(`delete from execution_locks where until < $1 returning quote_id`, [before]);
    return erased.length;
  }

  private async take(quoteId: string, lockHolder: string, isForced: boolean): Promise<boolean> {
    const now = this.clock.now();
    const until = new Date(now.getTime() + LOCK_MS);
    const rows = await this.db.read(TAKE, [quoteId, lockHolder, now, until, isForced]);
    return rows.length === 1;
  }

  private async release(quoteId: string, lockHolder: string): Promise<void> {
    await this.db.read(RELEASE, [quoteId, lockHolder]);
  }
}
