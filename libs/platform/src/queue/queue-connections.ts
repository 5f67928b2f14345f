import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createPostgresBackend, createRedisBackend, setDefaultBackendFactory, type QueueOptions } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { Config } from '#platform/config';
import { patient } from './patient-backend.js';

/** BullMQ types a connection as Redis alone; its PostgreSQL backend takes a pool. */
type Connection = QueueOptions['connection'];

/** Pauses between attempts to reach Redis again grow by a step up to the last. */
const RECONNECT_STEP_MS = 100;
const RECONNECT_LAST_MS = 2_000;

/** Redis does not answer at start. The message says where and why. */
export class QueueUnreachable extends Error {}

/** Where the queues of this process live: in Redis when REDIS_URL is set, else in PostgreSQL. */
@Injectable()
export class QueueConnections implements OnApplicationShutdown {
  private readonly pools: pg.Pool[] = [];
  private isLeaving = false;

  private constructor(private readonly config: Config) {
    // One switch for the whole process: @nestjs/bullmq builds its queues without a choice of its own.
    if (this.inRedis) setDefaultBackendFactory(patient(createRedisBackend));
    else setDefaultBackendFactory(patient(createPostgresBackend));
  }

  /**
   * Sees that Redis answers; of PostgreSQL the process has seen it already.
   * @throws QueueUnreachable
   */
  static async open(config: Config): Promise<QueueConnections> {
    const { REDIS_URL, DATABASE_CONNECT_TIMEOUT_MS } = config.values;
    if (REDIS_URL !== undefined) await reachRedis(REDIS_URL, DATABASE_CONNECT_TIMEOUT_MS);
    return new QueueConnections(config);
  }

  /** For those who enqueue. What cannot be enqueued now fails at once: the row stays due. */
  forQueues(): Connection {
    const { QUEUE_POOL_MAX, DATABASE_STATEMENT_TIMEOUT_MS } = this.config.values;
    if (!this.inRedis) return this.pool(QUEUE_POOL_MAX);
    return { ...this.redis(), enableOfflineQueue: false, commandTimeout: DATABASE_STATEMENT_TIMEOUT_MS };
  }

  /** For those who run jobs of so many kinds: they wait until the server is back. */
  forWorkers(count: number): Connection {
    // Of a shared pool every worker keeps one connection that listens.
    return this.inRedis ? this.redis() : this.pool(this.config.values.QUEUE_POOL_MAX + count);
  }

  /** From now on a Redis that is away is not waited for: a process that ends would wait for it, too. */
  leave(): void {
    this.isLeaving = true;
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
      retryStrategy: (attempt) => (this.isLeaving ? null : Math.min(attempt * RECONNECT_STEP_MS, RECONNECT_LAST_MS)),
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
    // Each queue listens for the errors of the pool that it shares.
    pool.setMaxListeners(0);
    this.pools.push(pool);
    return pool;
  }
}

async function reachRedis(url: string, timeoutMs: number): Promise<void> {
  const redis = new Redis(url, { lazyConnect: true, connectTimeout: timeoutMs, retryStrategy: () => null });
  // Without a listener the library prints what `connect` throws anyway.
  let reason: Error | undefined;
  redis.on('error', (error: Error) => (reason = error));
  try {
    await redis.connect();
    await redis.ping();
  } catch (error) {
    const { host } = new URL(url);
    throw new QueueUnreachable(`Redis (REDIS_URL) at ${host} does not answer: ${(reason ?? (error as Error)).message}`);
  } finally {
    redis.disconnect();
  }
}
