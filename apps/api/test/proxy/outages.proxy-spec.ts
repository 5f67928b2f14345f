import { until } from '#platform/testing';
import { metricOf, probe, withInstallation, type Installation } from './installation.js';

const TIMEOUT_MS = 180_000;
/**
 * Seconds without a response of the database after which every process must report that it is not ready. The alert
 * fires later, when there has been no response for more than 30 s during half a minute.
 */
const SILENCE_SECONDS = 6;
/** Maximum time from the end of an outage until requests succeed. */
const NORMAL_MS = 5_000;

describe('two APIs and two workers behind nginx, with Redis, under load', () => {
  let installation: Installation;
  withInstallation((started) => (installation = started), TIMEOUT_MS);

  /** Failures other than 503 and 429. These two are correct while earlier requests of the same API key wait. */
  const otherFailures = (): string[] =>
    installation.load.failures
      .filter(({ problem }) => !problem.startsWith('503 ') && !problem.startsWith('429 '))
      .map(({ request, problem }) => `${request}: ${problem}`);
  const read = async (path: string): Promise<number> =>
    (await fetch(`${installation.url}${path}`, { headers: installation.headers })).status;
  const isNormalAgain = async (): Promise<void> => {
    const since = performance.now();
    await until('requests succeed', async () => (await read('/v0/wallet/list')) === 200);
    expect(performance.now() - since).toBeLessThan(NORMAL_MS);
    for (const member of installation.members) {
      await until('every process is ready', async () => (await probe(member, 'readyz')) === 200);
    }
  };
  /** Repeats each execution that got no response, and checks that each execution is paid once or not at all. */
  const losesNothing = async (): Promise<void> => {
    const { load } = installation;
    await installation.moreRequests();
    await load.stop();
    await load.repeatUnanswered();
    expect(load.unanswered).toEqual([]);
    await installation.countUnpaid();
  };

  const databaseOutage = async (begin: () => void, end: () => void) => {
    const { members } = installation;
    await installation.moreRequests();
    begin();
    try {
      for (const member of members) {
        await until('every process reports the silence', async () => {
          const seconds = await metricOf(member, 'causeway_database_silence_seconds');
          return seconds !== null && seconds > SILENCE_SECONDS;
        });
        expect([await probe(member, 'livez'), await probe(member, 'readyz')]).toEqual([200, 503]);
      }
      // Earlier requests of the API key wait for the database, so this one exceeds the key's limit or waits too long.
      expect([429, 503]).toContain(await read('/v0/wallet/list'));
      expect(await read('/v0/oauth2/exchanges')).toBe(200);
    } finally {
      // The outage ends even if a check above has failed, so that it does not last into the next test.
      end();
    }
    await isNormalAgain();
    expect(installation.load.failures).not.toEqual([]);
    expect(otherFailures()).toEqual([]);
    await losesNothing();
  };

  const restarted = () =>
    databaseOutage(
      () => installation.database.cut(),
      () => installation.database.mend(),
    );
  it('pay no withdrawal twice and settle every withdrawal when PostgreSQL is down for a while', restarted, TIMEOUT_MS);

  const frozen = () =>
    databaseOutage(
      () => installation.database.freeze(),
      () => installation.database.thaw(),
    );
  it('pay no withdrawal twice and settle every withdrawal when PostgreSQL is frozen for a while', frozen, TIMEOUT_MS);

  const withoutRedis = async () => {
    const { load, redis } = installation;
    const workers = installation.membersOf('worker');
    await installation.moreRequests();
    for (const worker of workers) expect(await metricOf(worker, 'causeway_queue_lag_seconds')).not.toBeNull();
    await redis.kill();
    for (const worker of workers) {
      await until('each worker is not ready', async () => (await probe(worker, 'readyz')) === 503);
      await until(
        'the metrics of the queues are absent, for which an alert exists',
        async () => (await metricOf(worker, 'causeway_queue_lag_seconds')) === null,
      );
    }
    for (const api of installation.membersOf('api')) expect(await probe(api, 'readyz')).toBe(200);
    await installation.moreRequests();
    await redis.launch();
    await isNormalAgain();
    await installation.moreRequests();
    await load.stop();
    expect(load.failures.map(({ request, problem }) => `${request}: ${problem}`)).toEqual([]);
    expect(await installation.countUnpaid()).toBe(0);
  };
  it('refuse no request and pay every withdrawal once when Redis is lost with its data', withoutRedis, TIMEOUT_MS);
});
