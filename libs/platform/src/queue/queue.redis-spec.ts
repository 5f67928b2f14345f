import { createTestDatabase, RedisServer } from '#platform/testing';
import { describeQueues, type QueueServer } from './testing/queue-suite.js';

async function openRedis(): Promise<QueueServer> {
  const [database, redis] = await Promise.all([createTestDatabase(), RedisServer.start()]);
  return {
    // With this time-out, a busy machine does not look like a Redis that does not respond.
    settings: { DATABASE_URL: database.appUrl, REDIS_URL: redis.url, DATABASE_STATEMENT_TIMEOUT_MS: '30000' },
    eraseData: () => redis.flushAll(),
    interrupt: () => redis.kill(),
    restore: () => redis.launch(),
    close: async () => {
      await redis.kill();
      await database.drop();
    },
  };
}

describeQueues('Redis', openRedis);
