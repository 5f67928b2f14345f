import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import {
  createPostgresBackend,
  createRedisBackend,
  SchemaMigrationRequiredError,
  setDefaultBackendFactory,
  type Queue,
  type QueueOptions,
} from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { Config } from '#platform/config';
import { CONNECT_RETRY_MS, CONNECT_TRIES } from '#platform/database';
import { isOutage } from '#platform/errors';
import { StartRefused } from '#platform/lifecycle';
import { patient } from './patient-backend.js';

/** BullMQ types a connection as Redis only, but its PostgreSQL backend accepts a pool. */
type Connection = QueueOptions['connection'];

/** Pauses between attempts to reconnect to Redis: each is RECONNECT_STEP_MS longer, up to RECONNECT_LAST_MS. */
const RECONNECT_STEP_MS = 100;
const RECONNECT_LAST_MS = 2_000;

/** The connections of this process to its queues: in Redis when REDIS_URL is set, else in PostgreSQL. */
@Injectable()
export class QueueConnections implements OnApplicationShutdown {
  private readonly pools: pg.Pool[] = [];
  private isStopping = false;

  private constructor(private readonly config: Config) {
    // The backend is set for the whole process, because @nestjs/bullmq cannot choose one for each queue.
    if (this.inRedis) setDefaultBackendFactory(patient(createRedisBackend));
    else setDefaultBackendFactory(patient(createPostgresBackend));
  }

  /**
   * Checks that Redis responds and has the database of REDIS_URL. PostgreSQL was checked when the process connected to
   * its database.
   * @throws StartRefused with the host of Redis and the reason
   */
  static async open(config: Config): Promise<QueueConnections> {
    const { REDIS_URL, DATABASE_CONNECT_TIMEOUT_MS } = config.values;
    if (REDIS_URL !== undefined) await reachRedis(REDIS_URL, DATABASE_CONNECT_TIMEOUT_MS);
    return new QueueConnections(config);
  }

  /**
   * Waits until the queues can be used. While the server is busy or starting, it tries again as often as the connection
   * to the database.
   * @throws StartRefused when Redis fails, with its host, and when PostgreSQL has no tables of queues. Other errors of
   *   PostgreSQL pass unchanged.
   */
  async waitUntilReady(queues: readonly Pick<Queue, 'waitUntilReady'>[]): Promise<void> {
    const { REDIS_URL } = this.config.values;
    try {
      await tryAgain(() => Promise.all(queues.map((queue) => queue.waitUntilReady())));
    } catch (error) {
      if (REDIS_URL !== undefined) throw redisRefusal(REDIS_URL, 'cannot be used', error);
      if (!(error instanceof SchemaMigrationRequiredError)) throw error;
      throw new StartRefused('the database is not migrated: run npm run migrate (it has no tables of queues)');
    }
  }

  /** The connection for enqueueing. It fails at once when the server is unreachable; a later sweep tries again. */
  forQueues(): Connection {
    const { QUEUE_POOL_MAX, DATABASE_STATEMENT_TIMEOUT_MS } = this.config.values;
    if (!this.inRedis) return this.pool(QUEUE_POOL_MAX);
    return { ...this.redis(), enableOfflineQueue: false, commandTimeout: DATABASE_STATEMENT_TIMEOUT_MS };
  }

  /** The connection for running jobs of `count` kinds. It waits until an unreachable server is back. */
  forWorkers(count: number): Connection {
    // Every worker keeps one connection of the shared pool for listening.
    return this.inRedis ? this.redis() : this.pool(this.config.values.QUEUE_POOL_MAX + count);
  }

  /** Stops reconnecting to Redis, so that a stopping process does not wait for an unreachable server. */
  stopReconnecting(): void {
    this.isStopping = true;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.pools.map((pool) => pool.end()));
  }

  private get inRedis(): boolean {
    return this.config.values.REDIS_URL !== undefined;
  }

  private redis(): Connection {
    return {
      url: this.config.values.REDIS_URL,
      connectTimeout: this.config.values.DATABASE_CONNECT_TIMEOUT_MS,
      maxRetriesPerRequest: null,
      retryStrategy: (attempt) => (this.isStopping ? null : Math.min(attempt * RECONNECT_STEP_MS, RECONNECT_LAST_MS)),
    };
  }

  private pool(max: number): Connection {
    const { values } = this.config;
    const pool = new pg.Pool({
      connectionString: values.DATABASE_URL,
      max,
      application_name: 'causeway-queues',
      options: '-c search_path=bullmq,public',
      connectionTimeoutMillis: values.DATABASE_CONNECT_TIMEOUT_MS,
      statement_timeout: values.DATABASE_STATEMENT_TIMEOUT_MS,
      keepAlive: true,
    });
    // While a queue uses a connection, the connection has no other error listener, and an error without a listener ends
    // the process. The error can be ignored, because the next statement of the connection fails.
    pool.on('connect', (client) => client.on('error', () => undefined));
    // Each queue adds an error listener to the shared pool, and Node would warn about more than ten.
    pool.setMaxListeners(0);
    this.pools.push(pool);
    return pool;
  }
}

async function tryAgain(connect: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await connect();
      return;
    } catch (error) {
      if (tries >= CONNECT_TRIES || !isOutage(error)) throw error;
    }
    await sleep(CONNECT_RETRY_MS);
  }
}

async function reachRedis(url: string, timeoutMs: number): Promise<void> {
  const redis = new Redis(url, { lazyConnect: true, connectTimeout: timeoutMs, retryStrategy: () => null });
  const { db = 0 } = redis.options;
  // Without a listener the library prints the error that `connect` also throws.
  let reason: Error | undefined;
  redis.on('error', (error: Error) => (reason = error));
  let problem = 'cannot be reached';
  try {
    await redis.connect();
    await redis.ping();
    problem = `refuses the database number ${db}`;
    // When Redis refuses the number, the library would only report the error and stay in database 0.
    if (db !== 0) await redis.select(db);
  } catch (error) {
    throw redisRefusal(url, problem, reason ?? error);
  } finally {
    redis.disconnect();
  }
}

/** Names Redis as the cause. Without this, the process could not know whether Redis or the database has failed. */
function redisRefusal(url: string, problem: string, cause: unknown): StartRefused {
  return new StartRefused(`Redis (REDIS_URL) at ${new URL(url).host} ${problem}: ${(cause as Error).message}`);
}
