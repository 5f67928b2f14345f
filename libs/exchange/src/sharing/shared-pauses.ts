import { Inject, Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { logFailedWork } from '#platform/errors';
import { runWithLoad } from '#platform/load';
import { LOGGER, logRepeated, type Logger } from '#platform/logging';
import { PauseBook, type Pause } from '../transport/pauses.js';
import { PauseStore } from './pause-store.js';

/** Shorter pauses are not shared, because they end before a call of another process could matter. */
const SHARED_FROM_MS = 2_000;

/**
 * Shares the pauses of calls to exchanges with the other processes of this installation. Each process decides by its
 * copy in memory, so that no call waits for the database. When the database does not respond, the process continues
 * with its copy and its own pauses.
 */
@Injectable()
export class SharedPauses implements OnModuleInit, BeforeApplicationShutdown {
  readonly book: PauseBook;
  private readonly saving = new Set<Promise<void>>();

  constructor(
    private readonly store: PauseStore,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.book = new PauseBook(clock, (pause) => this.share(pause));
  }

  /** Reads the pauses before the first call of this process to an exchange. */
  async onModuleInit(): Promise<void> {
    await this.reload().catch((error: unknown) =>
      logFailedWork(this.logger, error, 'the pauses of exchanges could not be read'),
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.saving);
  }

  /** Stores the pauses that could not be stored before, and then takes over the stored pauses. */
  async reload(): Promise<void> {
    // A pause that is being stored may be in the database already, and an operator may have ended it there.
    await Promise.all(this.saving);
    for (const pause of this.book.listStored(false).filter(isShared)) await this.save(pause);
    const known = this.book.listStored(true);
    const stored = await this.store.list();
    const nowMs = this.clock.monotonicMs();
    this.book.replace(
      stored.map(({ sinceMs, leftMs, beganAt: _began, endsAt: _ends, ...pause }) => ({
        ...pause,
        sinceMs: nowMs - sinceMs,
        endsAtMs: nowMs + leftMs,
      })),
      known,
    );
  }

  private share(pause: Pause): void {
    const { exchange, origin, of: reach, endpoint, reason, status, sinceMs, endsAtMs } = pause;
    if (!isShared(pause)) return;
    const seconds = Math.ceil((endsAtMs - sinceMs) / 1_000);
    logRepeated(this.logger, 'warn', {
      message: 'calls to an exchange are paused',
      cause: `${exchange} ${reach} ${reason}`,
      facts: { exchange, origin, reach, endpoint, reason, status, seconds },
    });
    // The caller does not wait. Without the load of its request, the statement goes on when the request is cancelled.
    const saving = runWithLoad(null, () => this.save(pause)).catch((error: unknown) =>
      logFailedWork(this.logger, error, 'a pause of an exchange could not be stored: this process still keeps it'),
    );
    this.saving.add(saving);
    void saving.then(() => this.saving.delete(saving));
  }

  private async save(pause: Pause): Promise<void> {
    const { sinceMs, endsAtMs, ...rest } = pause;
    const nowMs = this.clock.monotonicMs();
    await this.store.save({ ...rest, sinceMs: nowMs - sinceMs, leftMs: endsAtMs - nowMs });
    this.book.markStored(pause);
  }
}

function isShared({ sinceMs, endsAtMs }: Pause): boolean {
  return endsAtMs - sinceMs >= SHARED_FROM_MS;
}
