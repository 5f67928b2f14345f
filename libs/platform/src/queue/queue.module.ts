import { BullModule } from '@nestjs/bullmq';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { createPostgresBackend, createRedisBackend, setDefaultBackendFactory, type QueueOptions } from 'bullmq';
import { Config } from '#platform/config';
import type { JobDefinition, JobPayload } from './define-job.js';
import { JobQueue } from './job-queue.js';
import { QueueWorkers } from './queue-workers.js';

const KEEP_COMPLETED = 1_000;
const KEEP_FAILED = 5_000;
/** Connections of one queue or worker to PostgreSQL, beside one that listens. */
const QUEUE_POOL_MAX = 2;

/** The queues of this process: on Redis when REDIS_URL is set, else in PostgreSQL. */
@Global()
@Module({})
export class QueueModule {
  static forRoot(): DynamicModule {
    return {
      module: QueueModule,
      imports: [BullModule.forRootAsync({ inject: [Config], useFactory: queueOptions })],
      providers: [JobQueue],
      exports: [JobQueue],
    };
  }

  /** The same for the process that runs jobs: it starts only when every job in use has exactly one processor. */
  static forWorker(): DynamicModule {
    const { imports = [], providers = [], ...rest } = QueueModule.forRoot();
    return { ...rest, imports: [...imports, DiscoveryModule], providers: [...providers, QueueWorkers] };
  }

  /** Makes the queues of these jobs available to `JobQueue` and to processors. */
  static forJobs(...jobs: JobDefinition<JobPayload>[]): DynamicModule {
    return BullModule.registerQueue(...jobs.map((job) => ({ name: job.name })));
  }
}

function queueOptions({ values }: Config): QueueOptions {
  const defaultJobOptions = { removeOnComplete: { count: KEEP_COMPLETED }, removeOnFail: { count: KEEP_FAILED } };
  if (values.REDIS_URL !== undefined) {
    // One switch for the whole process: @nestjs/bullmq builds its queues without a choice of its own.
    setDefaultBackendFactory(createRedisBackend);
    return { connection: redisConnection(values.REDIS_URL), defaultJobOptions };
  }
  setDefaultBackendFactory(createPostgresBackend);
  const connection = { connectionString: values.DATABASE_URL, max: QUEUE_POOL_MAX };
  return { connection, defaultJobOptions };
}

function redisConnection(url: string): QueueOptions['connection'] {
  const { hostname, port, username, password, pathname } = new URL(url);
  return {
    host: hostname,
    port: Number(port || 6379),
    username: username || undefined,
    password: password || undefined,
    db: Number(pathname.slice(1) || 0),
    maxRetriesPerRequest: null,
  };
}
