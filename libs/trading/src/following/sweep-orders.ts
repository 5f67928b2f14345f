import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '#platform/config';
import { DatabaseClock } from '#platform/database';
import { PeriodicTasks } from '#platform/lifecycle';
import { JobQueue } from '#platform/queue';
import { SettleOrderJob } from './order.jobs.js';
import { OrderStore } from '../orders/order-store.js';

/**
 * The source of all work on orders: in every worker, orders that are due become jobs, the longest overdue first. A row is
 * out of sight for one lease, so that workers share them and a lost job comes back.
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
    this.periodicTasks.start('sweep of orders', this.config.values.ORDER_SWEEP_MS, () => this.execute());
  }

  /** One sweep; returns how many orders were taken up. */
  async execute(): Promise<number> {
    // What cannot be worked off waits in the rows, not in the queue.
    const room = this.config.values.ORDER_BATCH - (await this.jobs.backlog(SettleOrderJob));
    if (room <= 0) return 0;
    const time = await this.databaseClock.read();
    const due = await this.store.takeDue(time.now(), room);
    await this.jobs.enqueueAll(
      SettleOrderJob,
      due.map((orderId) => ({ id: orderId, payload: { orderId } })),
    );
    return due.length;
  }
}
