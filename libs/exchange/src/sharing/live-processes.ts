import { Inject, Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { logFailedWork } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import type { ProcessCount } from '../transport/call-budget.js';

/** Notification channel for a process that started or stopped. */
export const PROCESSES_CHANNEL = 'exchange_callers';
/** How often a process renews its row. */
export const RENEW_EVERY_MS = 5_000;
/** A process whose row is older has died. */
const LIVES_MS = 20_000;

/**
 * Counts the processes of this installation that call exchanges. They share the limits of our address: each takes its
 * part. When the database does not respond, the last count stays.
 */
@Injectable()
export class LiveProcesses implements ProcessCount, OnModuleInit, BeforeApplicationShutdown {
  count = 1;
  private readonly id: string;
  private isStopping = false;
  private readonly renewing = new Set<Promise<unknown>>();

  constructor(
    private readonly db: Database,
    clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.id = clock.newId();
  }

  async onModuleInit(): Promise<void> {
    await this.orLog(this.renew());
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    // A renewal that comes after the deletion would count this process until its row is too old.
    await Promise.allSettled(this.renewing);
    const text = `with gone as (delete from exchange_callers where id = $1 returning 1)
      select pg_notify($2, '') from gone`;
    await this.orLog(this.db.query(text, [this.id, PROCESSES_CHANNEL]));
  }

  /** Renews the row of this process, deletes the rows of processes that died, and counts the others. */
  async renew(): Promise<void> {
    if (this.isStopping) return;
    // A new row is a new process, of which the others learn at once.
    const renewal = this.db.query<{ others: number }>(
      `with mine as (
         insert into exchange_callers (id, seen_at) values ($1, clock_timestamp())
         on conflict (id) do update set seen_at = excluded.seen_at returning xmax = 0 as is_new
       ), told as (
         select pg_notify($2, '') from mine where is_new
       ), gone as (
         delete from exchange_callers where id in (
           select id from exchange_callers
           where seen_at < clock_timestamp() - $3::float8 * interval '1 ms' and id <> $1 for update skip locked)
       )
       select count(*)::int as others, (select count(*) from told) as told from exchange_callers
       where id <> $1 and seen_at >= clock_timestamp() - $3::float8 * interval '1 ms'`,
      [this.id, PROCESSES_CHANNEL, LIVES_MS],
    );
    this.renewing.add(renewal);
    try {
      const [row] = await renewal;
      this.count = 1 + (row?.others ?? 0);
    } finally {
      this.renewing.delete(renewal);
    }
  }

  private async orLog(work: Promise<unknown>): Promise<void> {
    await work.catch((error: unknown) =>
      logFailedWork(this.logger, error, 'the count of the processes that call exchanges failed'),
    );
  }
}
