import { Injectable } from '@nestjs/common';
import { ProviderError } from '#exchange';
import { DatabaseClock, DatabaseTooSlow, HostClockDiffers, type DatabaseTime } from '#platform/database';

/** Nothing is sent from a host whose clock is wrong: what other processes decide by time would not hold for it. */
export class HostClockRefused extends ProviderError {
  constructor(cause: unknown) {
    super('The clock of this host differs from the database, so nothing was sent; repeat the call', {
      reason: 'host_clock_differs',
      cause,
    });
  }
}

/** The time by which withdrawals are decided: the database's, the same for all processes. */
@Injectable()
export class WithdrawalTime {
  constructor(private readonly databaseClock: DatabaseClock) {}

  /** @throws HostClockRefused when this host must not decide anything. */
  async read(): Promise<DatabaseTime> {
    try {
      return await this.databaseClock.read();
    } catch (error) {
      if (error instanceof HostClockDiffers || error instanceof DatabaseTooSlow) throw new HostClockRefused(error);
      throw error;
    }
  }
}
