import { AuthorizationError, ExchangeError, type AuthorizationFailure, type ExchangeErrorKind } from '#exchange';
import { RateLimitExceeded } from '#platform/errors';
import { ManualClock } from '#platform/testing';
import { ConnectFailures } from './connect-failures.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

const refusal = (kind: ExchangeErrorKind = 'credentials_invalid') => new ExchangeError(kind, 'kraken', 'scripted');

describe('the limit of failed connects', () => {
  const kraken = { projectId: 'one', exchange: 'kraken', client: { isKeyless: false, name: 'w-1' } };
  const of = (name: string, isKeyless = false) => ({ ...kraken, client: { isKeyless, name } });
  let clock: ManualClock;
  let failures: ConnectFailures;
  let calls: number;

  beforeEach(() => {
    clock = new ManualClock();
    failures = new ConnectFailures(clock);
    calls = 0;
  });

  const attempt = (where = kraken, outcome: Error | null = refusal()): Promise<void> =>
    failures.limit(where, () => {
      calls += 1;
      return outcome === null ? Promise.resolve() : Promise.reject(outcome);
    });

  const failTimes = async (times: number, outcome: Error = refusal(), where = kraken): Promise<void> => {
    for (let time = 0; time < times; time += 1) await expect(attempt(where, outcome)).rejects.toBe(outcome);
  };

  it('refuses the eleventh connect in a minute with ten failures, without a call and with Retry-After', async () => {
    await failTimes(9);
    clock.advance(20 * SECOND_MS);
    await failTimes(1);
    await expect(attempt()).rejects.toMatchObject({ status: 429, retryAfterSeconds: 40 });
    expect(calls).toBe(10);
    clock.advance(40 * SECOND_MS);
    await failTimes(9);
    await expect(attempt()).rejects.toMatchObject({ retryAfterSeconds: 20 });
    expect(calls).toBe(19);
  });

  it('refuses further connects after sixty refusals in an hour', async () => {
    for (let minute = 0; minute < 6; minute += 1) {
      await failTimes(10, refusal(), of(`w-${minute}`));
      clock.advance(2 * MINUTE_MS);
    }
    await expect(attempt(kraken, null)).rejects.toMatchObject({ status: 429, retryAfterSeconds: 48 * 60 });
    expect(calls).toBe(60);
    clock.advance(48 * MINUTE_MS);
    await attempt(kraken, null);
  });

  it('refuses further connects of a keyless client after its fourth failure in a minute, and admits other clients', async () => {
    await failTimes(4, refusal(), of('192.0.2.1', true));
    await expect(attempt(of('192.0.2.1', true), null)).rejects.toMatchObject({ status: 429, retryAfterSeconds: 60 });
    await attempt(of('192.0.2.2', true), null);
    clock.advance(MINUTE_MS);
    await attempt(of('192.0.2.1', true), null);
  });

  it.each([
    { isKeyless: true, eachMinute: 4 },
    { isKeyless: false, eachMinute: 10 },
  ])(
    'refuses further connects of one client after twenty refusals in an hour (keyless client: $isKeyless)',
    async ({ isKeyless, eachMinute }) => {
      const minutes = 20 / eachMinute;
      for (let minute = 0; minute < minutes; minute += 1) {
        await failTimes(eachMinute, refusal(), of('one', isKeyless));
        clock.advance(MINUTE_MS);
      }
      await expect(attempt(of('one', isKeyless), null)).rejects.toMatchObject({
        status: 429,
        retryAfterSeconds: (60 - minutes) * 60,
      });
      await attempt(of('another', isKeyless), null);
    },
  );

  it('does not count the failures of keyless clients against clients with an API key', async () => {
    for (let minute = 0; minute < 15; minute += 1) {
      await failTimes(4, refusal(), of(`192.0.2.${minute}`, true));
      clock.advance(MINUTE_MS);
    }
    await expect(attempt(of('192.0.2.14', true), null)).rejects.toThrow(RateLimitExceeded);
    await attempt(of('198.51.100.1'), null);
  });

  it.each([
    { isKeyless: true, clients: 9 },
    { isKeyless: false, clients: 7 },
  ])(
    'never refuses another client while $clients clients fail as often as they can for an hour (keyless clients: $isKeyless)',
    async ({ isKeyless, clients }) => {
      const failing = Array.from({ length: clients }, (_, index) => of(`failing-${index}`, isKeyless));
      for (let second = 0; second < 3_600; second += 5) {
        for (const client of failing) await attempt(client).catch(() => undefined);
        await attempt(of(`owner-${second}`, isKeyless), null);
        clock.advance(5 * SECOND_MS);
      }
      const succeeded = 3_600 / 5;
      expect(calls - succeeded).toBeLessThanOrEqual(180);
    },
  );

  it('admits a client with two failures, and refuses it after the third, while others use up the limit of the project', async () => {
    await failTimes(10, refusal(), of('others'));
    await failTimes(2, refusal(), of('owner'));
    await attempt(of('owner'), null);
    await failTimes(1, refusal(), of('owner'));
    await expect(attempt(of('owner'), null)).rejects.toMatchObject({ status: 429, retryAfterSeconds: 60 });
  });

  it('refuses every client after thirty failures in a minute', async () => {
    for (let client = 0; client < 30; client += 1) await failTimes(1, refusal(), of(`failing-${client}`));
    await expect(attempt(of('owner'), null)).rejects.toMatchObject({ status: 429, retryAfterSeconds: 60 });
    expect(calls).toBe(30);
  });

  it('refuses every client after 180 refusals in an hour', async () => {
    for (let client = 0; client < 180; client += 1) {
      await failTimes(1, refusal(), of(`failing-${client}`));
      clock.advance(10 * SECOND_MS);
    }
    await expect(attempt(of('owner'), null)).rejects.toMatchObject({ status: 429, retryAfterSeconds: 30 * 60 });
    expect(calls).toBe(180);
  });

  it.each(['unavailable', 'rate_limited'] as const)(
    'counts a failure of kind %s for one minute, and not for an hour',
    async (kind) => {
      for (let minute = 0; minute < 10; minute += 1) {
        await failTimes(10, refusal(kind));
        await expect(attempt()).rejects.toThrow(RateLimitExceeded);
        clock.advance(MINUTE_MS);
      }
      await attempt(kraken, null);
    },
  );

  it.each<[AuthorizationFailure, boolean]>([
    ['exchange_failed', true],
    ['unavailable', true],
    ['denied', false],
    ['invalid_state', false],
    ['insufficient_scope', false],
  ])('counts an authorization that ended as %s as a failure: %s', async (failure, isCounted) => {
    await failTimes(10, new AuthorizationError(failure, 'kraken', 'scripted'));
    const next = attempt(kraken, null);
    await (isCounted ? expect(next).rejects.toThrow(RateLimitExceeded) : next);
  });

  it('does not count connects that succeed', async () => {
    for (let time = 0; time < 100; time += 1) await attempt(kraken, null);
    expect(calls).toBe(100);
  });

  it('counts connects in flight, and refuses further connects with a Retry-After of one second', async () => {
    let end: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (end = resolve));
    await failTimes(4);
    const inFlight = Array.from({ length: 6 }, () => failures.limit(kraken, () => held));
    await expect(attempt(kraken, null)).rejects.toMatchObject({ status: 429, retryAfterSeconds: 1 });
    end();
    await Promise.all(inFlight);
    await attempt(kraken, null);
  });

  it('counts each project and each exchange separately', async () => {
    await failTimes(10);
    await attempt({ ...kraken, projectId: 'two' }, null);
    await attempt({ ...kraken, exchange: 'okx' }, null);
    await expect(attempt(kraken, null)).rejects.toThrow(RateLimitExceeded);
  });
});
