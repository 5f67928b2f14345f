import { Injectable } from '@nestjs/common';
import { ProviderError } from '#exchange';
import { DatabaseClock, DatabaseTooSlow, HostClockDiffers, type DatabaseTime } from '#platform/database';

/** The host's clock is wrong, so nothing is sent: another process could regard the same quote or lease as expired. */
export class HostClockRefused extends ProviderError {
  constructor(cause: unknown) {
    const message =
      "The server's clock differs from the database's or could not be compared with it, so nothing was sent; repeat the call";
    super(message, { reason: 'host_clock_differs', cause });
  }
}

/**
 * Reads the time for decisions about withdrawals. It is the time of the database, so that all processes use the same
 * clock.
 */
@Injectable()
export class WithdrawalTime {
  constructor(private readonly databaseClock: DatabaseClock) {}

  /** @throws HostClockRefused when the clock of this host is wrong, or when the database responds too slowly. */
  async read(): Promise<DatabaseTime> {
    try {
      return await this.databaseClock.read();
    } catch (error) {
      if (error instanceof HostClockDiffers || error instanceof DatabaseTooSlow) throw new HostClockRefused(error);
      throw error;
    }
  }
}
