import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { logFailedWork } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { Queues } from './queues.js';

/** Logs failures of queues and jobs. An unreachable server fails every queue many times a second, and gets one line. */
@Injectable()
export class QueueErrors implements OnModuleInit {
  constructor(
    private readonly queues: Queues,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    for (const queue of this.queues.all()) queue.on('error', (error) => this.report(queue.name, error));
  }

  report(queue: string, error: Error): void {
    logFailedWork(this.logger, error, 'a queue failed', { queue });
  }

  /** @param data payload of the job; undefined when the queue has lost it. */
  reportJob(job: string, data: unknown, error: Error): void {
    logFailedWork(this.logger, error, 'job failed', { job, data });
  }
}
