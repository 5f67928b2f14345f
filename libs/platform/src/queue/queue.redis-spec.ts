import { createTestDatabase, RedisServer } from '#platform/testing';
import { describeQueues, type QueueServer } from './testing/queue-suite.js';

async function openRedis(): Promise<QueueServer> {
  const [database, redis] = await Promise.all([createTestDatabase(), RedisServer.start()]);
  return {
    settings: { DATABASE_URL: database.appUrl, REDIS_URL: redis.url },
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
