import { TradingProviderError } from '#exchange';
import { DatabaseTooSlow, HostClockDiffers, type DatabaseClock } from '#platform/database';
import { readTime } from './read-time.js';

const failing = (error: Error): DatabaseClock => {
  const clock: Pick<DatabaseClock, 'read'> = { read: () => Promise.reject(error) };
  return clock as DatabaseClock;
};

describe('the time of the database for an order', () => {
  it.each([new HostClockDiffers(6_000, 5_000), new DatabaseTooSlow(6_000)])(
    'that cannot be compared with the clock of the host is an error that another process can avoid',
    async (cause) => {
      await expect(readTime(failing(cause))).rejects.toBeInstanceOf(TradingProviderError);
      await expect(readTime(failing(cause))).rejects.toMatchObject({
        details: { result: { reason: 'host_clock_differs' } },
      });
    },
  );

  it('that cannot be read for another reason fails with that reason', async () => {
    const error = new Error('the database is down');
    await expect(readTime(failing(error))).rejects.toBe(error);
  });
});
