import { loadConfig } from '#platform/config';
import { ManualClock, TestDatabaseClock } from '#platform/testing';
import { DatabaseTooSlow, HostClockDiffers, type Database, type DatabaseClock, type DatabaseTime } from './index.js';

const LIMIT_MS = 1_000;

/** A host and its database. Each reading takes the next time in `roundTripsMs`; further readings take no time. */
class Host extends ManualClock {
  roundTripsMs: number[] = [];
  /** The fraction of a round trip after which the database reads its clock. */
  answersAfter = 0.5;
  readings = 0;

  override databaseNow(): Promise<Date> {
    const roundTripMs = this.roundTripsMs.shift() ?? 0;
    this.readings += 1;
    this.advance(roundTripMs * this.answersAfter);
    const now = this.trueNow();
    this.advance(roundTripMs * (1 - this.answersAfter));
    return Promise.resolve(now);
  }
}

describe("the database's clock", () => {
  let host: Host;
  let databaseClock: DatabaseClock;

  beforeEach(() => {
    host = new Host();
    const config = loadConfig({ CLOCK_DIFFERENCE_MAX_MS: String(LIMIT_MS) });
    databaseClock = new TestDatabaseClock({} as Database, host, config);
  });

  it('returns the time at the middle of the round trip, advanced by the monotonic clock', async () => {
    host.roundTripsMs = [800];
    const time: DatabaseTime = await databaseClock.read();
    expect(time.now()).toEqual(host.trueNow());
    host.advance(3_600_000);
    expect(time.now()).toEqual(host.trueNow());
  });

  it('does not follow the wall clock of the host', async () => {
    host.wallErrorMs = 900;
    const time = await databaseClock.read();
    expect(time.now()).toEqual(host.trueNow());
    host.wallErrorMs = -86_400_000;
    expect(time.now()).toEqual(host.trueNow());
  });

  it.each([LIMIT_MS, -LIMIT_MS])('accepts a host whose clock is off by exactly the limit (%i ms)', async (errorMs) => {
    host.wallErrorMs = errorMs;
    expect((await databaseClock.read()).now()).toEqual(host.trueNow());
    expect(databaseClock.lastDifferenceMs).toBe(errorMs);
  });

  it.each([LIMIT_MS + 1, -LIMIT_MS - 1, 3_600_000])(
    'refuses a host whose clock is off by more than the limit (%i ms)',
    async (errorMs) => {
      host.wallErrorMs = errorMs;
      const refused = databaseClock.read();
      await expect(refused).rejects.toThrow(HostClockDiffers);
      await expect(refused).rejects.toMatchObject({ differenceMs: errorMs });
      expect(databaseClock.lastDifferenceMs).toBe(errorMs);
    },
  );

  it('accepts the host again as soon as its clock is right', async () => {
    host.wallErrorMs = 3_600_000;
    await expect(databaseClock.read()).rejects.toThrow("the host's clock is 3600.0 s ahead of the database's");
    host.wallErrorMs = 0;
    await databaseClock.read();
    expect(databaseClock.lastDifferenceMs).toBe(0);
  });

  it('notices without a query that the wall clock was changed, but queries the database before it refuses the host', async () => {
    await databaseClock.requireSteadyHost();
    host.advance(29_000);
    await databaseClock.requireSteadyHost();
    expect(host.readings).toBe(1);
    host.wallErrorMs = LIMIT_MS + 1;
    await expect(databaseClock.requireSteadyHost()).rejects.toThrow(HostClockDiffers);
    expect(host.readings).toBe(2);
    host.wallErrorMs = 0;
    await databaseClock.requireSteadyHost();
    expect(host.readings).toBe(2);
    host.advance(1_001);
    await databaseClock.requireSteadyHost();
    expect(host.readings).toBe(3);
  });

  it.each([0, 1])(
    'accepts a difference of the limit plus half the round trip, and no more (answer after %d of the round trip)',
    async (part) => {
      host.answersAfter = part;
      host.wallErrorMs = part === 0 ? LIMIT_MS : -LIMIT_MS;
      host.roundTripsMs = [1_000];
      await databaseClock.read();
      host.wallErrorMs += Math.sign(host.wallErrorMs);
      host.roundTripsMs = [1_000];
      await expect(databaseClock.read()).rejects.toThrow(HostClockDiffers);
    },
  );

  it('reads again when the first reading was too slow, and uses the second reading', async () => {
    host.roundTripsMs = [2_001, 10];
    host.answersAfter = 0;
    const time = await databaseClock.read();
    expect(host.readings).toBe(2);
    expect(Math.abs(time.now().getTime() - host.trueNow().getTime())).toBeLessThanOrEqual(5);
  });

  it('fails when every reading was too slow, and keeps the last known difference', async () => {
    host.wallErrorMs = 5_000;
    await expect(databaseClock.read()).rejects.toThrow(HostClockDiffers);
    host.wallErrorMs = 900;
    host.roundTripsMs = [60_000, 60_000];
    await expect(databaseClock.read()).rejects.toThrow(DatabaseTooSlow);
    expect(host.readings).toBe(3);
    expect(databaseClock.lastDifferenceMs).toBe(5_000);
  });

  it('refuses the host even after a slow reading when the difference exceeds the limit plus half the round trip', async () => {
    host.wallErrorMs = 40_000;
    host.roundTripsMs = [60_000, 60_000];
    await expect(databaseClock.read()).rejects.toThrow(HostClockDiffers);
    expect(host.readings).toBe(1);
  });

  it('has no difference before the first reading', () => {
    expect(databaseClock.lastDifferenceMs).toBeNull();
  });

  it('refuses the host when its wall clock has jumped since the reading, as after a suspended machine resumes', async () => {
    const time = await databaseClock.read();
    host.advance(3_600_000);
    time.requireSteadyHost();
    host.wallErrorMs = LIMIT_MS + 1;
    expect(() => time.requireSteadyHost()).toThrow(HostClockDiffers);
  });
});
