import { RedisServer } from '#platform/testing';
import { BuiltProcess } from '../../api/test/built-process.js';
import { WorkerBench } from './worker-bench.js';
import { describeWorkers, quickQueues } from './worker-suite.js';

const TIMEOUT_MS = 90_000;
const WALLETS = 8;
/** After Redis has forgotten everything, every row that is due is worked within this. */
const RECOVERY_MAX_MS = 15_000;
const AWAY_MS = 3_000;
/** Well below SHUTDOWN_TIMEOUT_MS, at which a process ends whatever it waits for. */
const STOP_MAX_MS = 15_000;

let redis: RedisServer;

beforeAll(async () => {
  redis = await RedisServer.start();
});
afterEach(() => redis.flushAll());
afterAll(() => redis.kill());

describeWorkers('Redis', () => Promise.resolve({ REDIS_URL: redis.url }));

describe('two workers on a Redis that forgets', () => {
  let bench: WorkerBench;
  let workers: BuiltProcess[];

  beforeEach(async () => {
    // Half a second for each wallet, two at once: Redis is harmed while most of them wait.
    bench = await WorkerBench.start({ ...quickQueues, REDIS_URL: redis.url, WALLET_SYNC_CONCURRENCY: '1' });
    await Promise.all(Array.from({ length: WALLETS }, () => bench.wallet()));
    workers = await Promise.all([bench.worker(), bench.worker()]);
    await bench.slowExchange(500);
  }, TIMEOUT_MS);
  afterEach(() => bench.close());

  const inTheMiddle = async (): Promise<Date> => {
    const since = await bench.makeAllDue();
    await bench.until('some are refreshed', RECOVERY_MAX_MS, async () => {
      const left = await bench.notRefreshedSince(since);
      return left < WALLETS && left > 0;
    });
    return since;
  };
  const areAlive = (): void => {
    for (const { child, stderr } of workers) expect([child.exitCode, stderr]).toEqual([null, '']);
  };

  const flushed = async () => {
    const since = await inTheMiddle();
    await redis.flushAll();
    await bench.allRefreshedSince(since, RECOVERY_MAX_MS);
    areAlive();
  };
  it('lose no work when everything is flushed', flushed, TIMEOUT_MS);

  const killed = async () => {
    const since = await inTheMiddle();
    await redis.kill();
    await bench.until('it was away', AWAY_MS * 2, () => Promise.resolve(Date.now() > since.getTime() + AWAY_MS));
    areAlive();
    await redis.launch();
    await bench.allRefreshedSince(since, RECOVERY_MAX_MS);
    areAlive();
  };
  it('lose no work when Redis is killed and comes back empty', killed, TIMEOUT_MS);

  const stopped = async () => {
    await redis.kill();
    const [worker] = workers;
    const toldAt = Date.now();
    worker?.child.kill('SIGTERM');
    expect(await worker?.exitCode()).toBe(0);
    expect(Date.now() - toldAt).toBeLessThan(STOP_MAX_MS);
    await redis.launch();
  };
  it('stop when they are told to while Redis is away', stopped, TIMEOUT_MS);

  const tellsOfRedis = async () => {
    const url = 'redis://:secret@127.0.0.1:9/0';
    const worker = BuiltProcess.start('worker', { ...bench.app.env, REDIS_URL: url });
    expect(await worker.exitCode()).toBe(1);
    expect(worker.stderr).toBe(
      'worker cannot start: Redis (REDIS_URL) at 127.0.0.1:9 does not answer: connect ECONNREFUSED 127.0.0.1:9\n',
    );
  };
  it('tell of a Redis that does not answer, and exit with 1', tellsOfRedis, TIMEOUT_MS);
});
