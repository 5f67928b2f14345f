import { WorkerHost } from '@nestjs/bullmq';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Queue } from 'bullmq';
import { LOGGER, type Logger } from '#platform/logging';

/** The processors of this worker process: one for each job, their failures in the log, and an orderly end. */
@Injectable()
export class QueueWorkers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly discovery: DiscoveryService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Throws, so that the process does not start, when a job in use has no processor or several. */
  onApplicationBootstrap(): void {
    const processors = this.processors();
    for (const job of this.jobsInUse()) {
      const found = processors.filter((processor) => processor.worker.name === job).length;
      if (found !== 1) throw new Error(`job ${job} has ${found} processors, not one: ${processorFile(job)}`);
    }
    for (const { worker } of processors) {
      worker.on('error', (error) => this.logger.error({ err: error, job: worker.name }, 'queue failed'));
      worker.on('failed', (job, error) =>
        this.logger.error({ err: error, job: worker.name, data: job?.data as unknown }, 'job failed'),
      );
    }
  }

  /** Lets running jobs end while the database is still there. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.processors().map(({ worker }) => worker.close()));
  }

  private processors(): WorkerHost[] {
    return this.instances().filter((instance): instance is WorkerHost => instance instanceof WorkerHost);
  }

  private jobsInUse(): string[] {
    return this.instances().flatMap((instance) => (instance instanceof Queue ? [instance.name] : []));
  }

  private instances(): unknown[] {
    return [...new Set(this.discovery.getProviders().map(({ instance }): unknown => instance))];
  }
}

/** `withdrawal.reconcile` → where its processor belongs. */
function processorFile(job: string): string {
  const [noun, verb] = job.split('.');
  return `libs/${noun}/src/${verb}-${noun}.processor.ts`;
}
