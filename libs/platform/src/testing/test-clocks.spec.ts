import { RunningClock } from './test-clocks.js';

describe('RunningClock.databaseNow', () => {
  it('returns the clock’s own time, even if PostgreSQL’s time is far from it', async () => {
    const clock = new RunningClock();
    clock.advance(60_000);
    const before = clock.trueNow().getTime();
    const read = (await clock.databaseNow(() => Promise.resolve(new Date(0)))).getTime();
    expect(read).toBeGreaterThanOrEqual(before);
    expect(read).toBeLessThanOrEqual(clock.trueNow().getTime());
  });

  it('fails while the database does not answer', async () => {
    const noAnswer = new Error('the database does not answer');
    await expect(new RunningClock().databaseNow(() => Promise.reject(noAnswer))).rejects.toBe(noAnswer);
  });
});
