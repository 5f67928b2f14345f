import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '#platform/config';
import { DatabaseClock } from '#platform/database';
import { PeriodicTasks } from '#platform/lifecycle';
import { JobQueue } from '#platform/queue';
import { SettleOrderJob } from './order.jobs.js';
import { OrderStore } from '../orders/order-store.js';

/** Maximum number of orders that may be in the queue at the same time. */
const QUEUED_MAX = 500;

/**
 * Enqueues a job for each order that is due for a check, the longest overdue first. It runs in every worker. A row that
 * is taken is not due again for one lease, so workers share the rows and a lost job is repeated.
 */
@Injectable()
export class SweepOrders implements OnApplicationBootstrap {
  constructor(
    private readonly store: OrderStore,
    private readonly jobs: JobQueue,
    private readonly databaseClock: DatabaseClock,
    private readonly config: Config,
    private readonly periodicTasks: PeriodicTasks,
  ) {}

  onApplicationBootstrap(): void {
    this.periodicTasks.start('sweep of orders', this.config.constants.ORDER_SWEEP_MS, () => this.execute());
  }

  /** @returns the number of orders that this sweep has enqueued */
  async execute(): Promise<number> {
    return this.jobs.enqueueDue(SettleOrderJob, QUEUED_MAX, async (room) => {
      const time = await this.databaseClock.read();
      const due = await this.store.takeDue(time.now(), room);
      return due.map((orderId) => ({ id: orderId, payload: { orderId } }));
    });
  }
}
