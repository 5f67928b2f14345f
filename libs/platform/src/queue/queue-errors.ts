import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { logFailedWork } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { Queues } from './queues.js';

/** Logs what goes wrong with the queues themselves: a server that is away is away for every queue, many times a second. */
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

  /** @param data the payload of the job, where the queue still has it. */
  reportJob(job: string, data: unknown, error: Error): void {
    logFailedWork(this.logger, error, 'job failed', { job, data });
  }
}
