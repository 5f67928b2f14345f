import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Health } from '#platform/health';
import { Queues } from '#platform/queue';

/** Makes readiness depend on the queue: a worker without its queue is not ready. */
@Injectable()
export class RequireQueue implements OnModuleInit {
  constructor(
    private readonly health: Health,
    private readonly queues: Queues,
  ) {}

  onModuleInit(): void {
    this.health.requireQueue(() => this.queues.isReachable());
  }
}
