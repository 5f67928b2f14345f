import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '#platform/config';
import { PeriodicTasks } from '#platform/lifecycle';
import { JobQueue } from '#platform/queue';
import { DeliveryStore } from './delivery-store.js';
import { DispatchEvents } from './dispatch-events.js';
import { DeliverWebhooksJob, RetryWebhooksJob } from './webhook.jobs.js';

/** Maximum number of endpoints that may be in each of the two queues at the same time. */
const QUEUED_MAX = 500;

/** Writes the deliveries of new events and turns endpoints with due deliveries into jobs, in every worker. */
@Injectable()
export class SweepWebhooks implements OnApplicationBootstrap {
  constructor(
    private readonly dispatch: DispatchEvents,
    private readonly store: DeliveryStore,
    private readonly jobs: JobQueue,
    private readonly config: Config,
    private readonly periodicTasks: PeriodicTasks,
  ) {}

  onApplicationBootstrap(): void {
    const everyMs = this.config.constants.WEBHOOK_SWEEP_MS;
    this.periodicTasks.startDueWork('dispatch of events', everyMs, () => this.dispatch.execute());
    this.periodicTasks.startDueWork('sweep of webhooks', everyMs, () => this.execute());
  }

  /** Runs one sweep. @returns the number of endpoints with due deliveries. */
  async execute(): Promise<number> {
    const healthy = await this.enqueue(DeliverWebhooksJob, { areFailing: false });
    return healthy + (await this.enqueue(RetryWebhooksJob, { areFailing: true }));
  }

  private enqueue(job: typeof DeliverWebhooksJob, { areFailing }: { areFailing: boolean }): Promise<number> {
    return this.jobs.enqueueDue(job, QUEUED_MAX, async (room) => {
      const due = await this.store.listDueEndpoints(room, { areFailing });
      return due.map((endpointId) => ({ id: endpointId, payload: { endpointId } }));
    });
  }
}
