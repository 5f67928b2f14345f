import { BullRegistrar, Processor, WorkerHost } from '@nestjs/bullmq';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, Reflector } from '@nestjs/core';
import type { WorkerOptions } from 'bullmq';
import { Config } from '#platform/config';
import { DatabaseClock } from '#platform/database';
import { Shutdown } from '#platform/lifecycle';
import { jobsPerSecond, type JobDefinition } from './define-job.js';
import { JOB_DEFINITION } from './job-processor.decorator.js';
import { QueueConnections } from './queue-connections.js';
import { QueueErrors } from './queue-errors.js';
import { Queues } from './queues.js';

/**
 * How often a job may lose its worker. A job that loses its worker a second time may have killed both workers, so it
 * fails. The job's row is due again later.
 */
const STALLED_MAX = 1;
/** Pause of a worker after the server of the queue refused a connection. */
const RETRY_MS = 1_000;

interface JobHost {
  host: WorkerHost;
  job: JobDefinition;
}

/** Starts the processors of this worker process, one for each job. Logs their failures and lets running jobs finish. */
@Injectable()
export class QueueWorkers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private hosts: JobHost[] = [];
  private readonly running = new Set<Promise<unknown>>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly queues: Queues,
    private readonly reflector: Reflector,
    private readonly registrar: BullRegistrar,
    private readonly connections: QueueConnections,
    private readonly errors: QueueErrors,
    private readonly config: Config,
    private readonly shutdown: Shutdown,
    private readonly databaseClock: DatabaseClock,
  ) {}

  /** Throws when a job in use has no processor or several, so that the process does not start. */
  async onApplicationBootstrap(): Promise<void> {
    const queues = this.queues.all();
    this.hosts = this.workerHosts().map((host) => ({ host, job: this.definitionOf(host) }));
    for (const { name } of queues) this.requireOneProcessor(name);
    await this.connections.waitUntilReady(queues);
    this.start();
  }

  /** Takes no more jobs, and resolves when all running jobs have ended, even if the queue cannot record their ends. */
  private async finish(): Promise<void> {
    await Promise.all(this.hosts.map(({ host }) => host.worker.pause(true)));
    await Promise.allSettled(this.running);
  }

  /** Waits for running jobs before the database connections close. */
  async beforeApplicationShutdown(): Promise<void> {
    this.connections.stopReconnecting();
    await Promise.all(this.hosts.map(({ host }) => host.worker.close()));
  }

  private start(): void {
    const connection = this.connections.forWorkers(this.hosts.length);
    this.shutdown.waitFor(() => this.finish());
    for (const { host, job } of this.hosts) {
      this.wrapRuns(host);
      Processor({ name: job.name }, { ...this.optionsOf(job), connection })(host.constructor);
    }
    this.registrar.register();
    for (const { host, job } of this.hosts) {
      host.worker.on('error', (error) => this.errors.report(job.name, error));
      host.worker.on('failed', (failed, error) => this.errors.reportJob(job.name, failed?.data, error));
    }
  }

  /**
   * Collects the running jobs, for which `finish` waits. A job fails while the host's clock differs from the
   * database's, because jobs write times by the host's clock. The job's row is due again later.
   */
  private wrapRuns(host: WorkerHost): void {
    const run = host.process.bind(host);
    host.process = async (...given): Promise<unknown> => {
      const running: Promise<unknown> = this.databaseClock.requireSteadyHost().then(() => run(...given));
      this.running.add(running);
      return running.finally(() => this.running.delete(running));
    };
  }

  private optionsOf(job: JobDefinition): Omit<WorkerOptions, 'connection'> {
    const { constants } = this.config;
    const { concurrency } = job.options;
    const max = jobsPerSecond(job, this.config);
    return {
      concurrency: typeof concurrency === 'number' ? concurrency : this.config.numberOf(concurrency),
      // BullMQ counts in the queue, so the limit holds for all workers together.
      limiter: max === undefined ? undefined : { max, duration: 1_000 },
      lockDuration: constants.QUEUE_LOCK_MS,
      stalledInterval: constants.QUEUE_STALLED_CHECK_MS,
      maxStalledCount: STALLED_MAX,
      runRetryDelay: RETRY_MS,
    };
  }

  private definitionOf(host: WorkerHost): JobDefinition {
    const job = this.reflector.get<JobDefinition | undefined>(JOB_DEFINITION, host.constructor);
    if (job === undefined) throw new Error(`${host.constructor.name} needs @JobProcessor(<its job>)`);
    return job;
  }

  private requireOneProcessor(job: string): void {
    const found = this.hosts.filter((host) => host.job.name === job).length;
    if (found !== 1) throw new Error(`job ${job} has ${found} processors and needs exactly one: ${processorFile(job)}`);
  }

  private workerHosts(): WorkerHost[] {
    const instances = this.discovery.getProviders().map(({ instance }): unknown => instance);
    return [...new Set(instances)].filter((instance): instance is WorkerHost => instance instanceof WorkerHost);
  }
}

/** The expected path of a job's processor. */
function processorFile(job: string): string {
  const [noun, verb] = job.split('.');
  return `libs/${noun}/src/${verb}-${noun}.processor.ts`;
}
