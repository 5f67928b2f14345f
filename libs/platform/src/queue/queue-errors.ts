import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { LOGGER, type Logger } from '#platform/logging';
import { Queues } from './queues.js';

/** The same trouble is logged once in this time: a server that is away is away for every queue, many times a second. */
const REPEAT_MS = 30_000;
const KINDS_MAX = 100;

/** Tells the log what goes wrong with the queues themselves, without flooding it. */
@Injectable()
export class QueueErrors implements OnModuleInit {
  private readonly told = new LRUCache<string, true>({ max: KINDS_MAX, ttl: REPEAT_MS });

  constructor(
    private readonly queues: Queues,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    for (const queue of this.queues.all()) queue.on('error', (error) => this.report(queue.name, error));
  }

  report(queue: string, error: Error): void {
    // Of a queue that has forgotten everything each job is missed by its number.
    const kind = (error as NodeJS.ErrnoException).code ?? error.message.replace(/job \S+/, 'job');
    if (this.told.has(kind)) return;
    this.told.set(kind, true);
    this.logger.error({ err: error, queue }, `queue failed; the same is not logged again for ${REPEAT_MS / 1_000} s`);
  }
}
