import { RedisServer } from '#platform/testing';
import { BuiltProcess } from '../../api/test/support/built-process.js';
import { WorkerHarness } from './worker-harness.js';
import { describeWorkers, quickQueues } from './worker-suite.js';

const TIMEOUT_MS = 300_000;
const WALLETS = 8;
/** Longest time until every due wallet is refreshed after Redis has lost its data. */
const RECOVERY_MAX_MS = 15_000;
const AWAY_MS = 3_000;
/** Well below SHUTDOWN_TIMEOUT_MS, at which a process exits unconditionally. */
const STOP_MAX_MS = 15_000;

let redis: RedisServer;

beforeAll(async () => {
  redis = await RedisServer.start();
});
afterEach(() => redis.flushAll());
afterAll(() => redis.kill());

describeWorkers('Redis', () => Promise.resolve({ REDIS_URL: redis.url }));

describe('workers whose Redis fails', () => {
  let harness: WorkerHarness;
  let workers: BuiltProcess[];

  beforeEach(async () => {
    // The exchange takes half a second for each wallet, and two wallets are synced at the same time. So most wallets
    // still wait when Redis fails.
    harness = await WorkerHarness.start({ REDIS_URL: redis.url, WALLET_SYNC_CONCURRENCY: '1' }, quickQueues);
    await Promise.all(Array.from({ length: WALLETS }, () => harness.wallet()));
    workers = await Promise.all([harness.worker(), harness.worker()]);
    await harness.slowExchange(500);
  }, TIMEOUT_MS);
  afterEach(() => harness.close());

  const inTheMiddle = async (): Promise<Date> => {
    const since = await harness.makeAllDue();
    await harness.until('some are refreshed', RECOVERY_MAX_MS, async () => {
      const left = await harness.notRefreshedSince(since);
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
    await harness.allRefreshedSince(since, RECOVERY_MAX_MS);
    areAlive();
  };
  it('lose no work when Redis is flushed', flushed, TIMEOUT_MS);

  const killed = async () => {
    const since = await inTheMiddle();
    await redis.kill();
    await harness.until('it was away', AWAY_MS * 2, () => Promise.resolve(Date.now() > since.getTime() + AWAY_MS));
    areAlive();
    await redis.launch();
    await harness.allRefreshedSince(since, RECOVERY_MAX_MS);
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
  it('stop on SIGTERM while Redis is unreachable', stopped, TIMEOUT_MS);
});

describe('workers whose Redis cannot be reached or has wrong settings', () => {
  let harness: WorkerHarness;

  beforeAll(async () => {
    harness = await WorkerHarness.start({ REDIS_URL: redis.url }, quickQueues);
  }, TIMEOUT_MS);
  afterAll(() => harness.close());

  const reportsRedis = async () => {
    const url = 'redis://:secret@127.0.0.1:9/0';
    const worker = BuiltProcess.start('worker', { ...harness.app.env, REDIS_URL: url });
    expect(await worker.exitCode()).toBe(1);
    expect(worker.stderr).toBe(
      'worker cannot start: Redis (REDIS_URL) at 127.0.0.1:9 cannot be reached: connect ECONNREFUSED 127.0.0.1:9\n',
    );
    expect(worker.stdout).toBe('');
  };
  it('report at the start that Redis cannot be reached, and exit with 1', reportsRedis, TIMEOUT_MS);

  const logsPolicy = async () => {
    await redis.configure('maxmemory-policy', 'allkeys-lru');
    try {
      const worker = await harness.worker();
      const lines = worker.stdout.split('\n').filter((line) => line.includes('Eviction policy is allkeys-lru'));
      const [first, ...repeats] = lines.map((line) => JSON.parse(line) as { level: number; again: number });
      expect(first).toMatchObject({ level: 40, again: 0 });
      // A start that takes longer than ten seconds logs the number of repeats.
      expect(repeats.filter(({ again }) => again === 0)).toEqual([]);
      expect(worker.stderr).toBe('');
    } finally {
      await redis.configure('maxmemory-policy', 'noeviction');
    }
  };
  it('log once, as JSON, that Redis may evict the keys of the queues', logsPolicy, TIMEOUT_MS);

  const reportsNumber = async () => {
    const url = new URL('/99', redis.url);
    const worker = BuiltProcess.start('worker', { ...harness.app.env, REDIS_URL: url.href });
    expect(await worker.exitCode()).toBe(1);
    expect(worker.stderr).toBe(
      `worker cannot start: Redis (REDIS_URL) at ${url.host} refuses the database number 99: ERR DB index is out of range\n`,
    );
    expect(worker.stdout).toBe('');
  };
  it('report at the start that Redis has no database with the number in REDIS_URL', reportsNumber, TIMEOUT_MS);
});
