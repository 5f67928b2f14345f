import { BullModule } from '@nestjs/bullmq';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Config } from '#platform/config';
import type { JobDefinition } from './define-job.js';
import { JobQueue } from './job-queue.js';
import { QueueConnections } from './queue-connections.js';
import { QueueErrors } from './queue-errors.js';
import { QueueMetrics } from './queue-metrics.js';
import { QueueWorkers } from './queue-workers.js';
import { Queues } from './queues.js';

/** The queues of this process. */
@Global()
@Module({})
export class QueueModule {
  static forRoot(): DynamicModule {
    return {
      module: QueueModule,
      imports: [
        DiscoveryModule,
        BullModule.forRootAsync({
          inject: [QueueConnections],
          useFactory: (connections: QueueConnections) => ({ connection: connections.forQueues() }),
          // `QueueWorkers` registers the workers after it has checked the processors.
          extraOptions: { manualRegistration: true },
        }),
      ],
      providers: [
        { provide: QueueConnections, inject: [Config], useFactory: (config: Config) => QueueConnections.open(config) },
        JobQueue,
        QueueErrors,
        Queues,
      ],
      exports: [JobQueue, QueueConnections, Queues],
    };
  }

  /** The module of the worker. It starts only when every job in use has exactly one processor. */
  static forWorker(): DynamicModule {
    const { providers = [], ...rest } = QueueModule.forRoot();
    return { ...rest, providers: [...providers, QueueMetrics, QueueWorkers] };
  }

  /** Provides the queues of these jobs to `JobQueue` and to processors. */
  static forJobs(...jobs: JobDefinition[]): DynamicModule {
    return BullModule.registerQueue(...jobs.map((job) => ({ name: job.name })));
  }
}
