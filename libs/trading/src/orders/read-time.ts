import { TradingProviderError } from '#exchange';
import { DatabaseTooSlow, HostClockDiffers, type DatabaseClock, type DatabaseTime } from '#platform/database';

/**
 * Reads the time of the database, with which one request compares its leases, deadlines and expiries.
 * @throws TradingProviderError (`host_clock_differs`) when this host's clock is wrong or could not be compared; another
 *   process can serve the request
 */
export async function readTime(databaseClock: DatabaseClock): Promise<DatabaseTime> {
  try {
    return await databaseClock.read();
  } catch (error) {
    if (!(error instanceof HostClockDiffers || error instanceof DatabaseTooSlow)) throw error;
    const message =
      "The server's clock differs from the database's or could not be compared with it, so nothing was sent; repeat the call";
    throw new TradingProviderError(message, { reason: 'host_clock_differs', cause: error });
  }
}
