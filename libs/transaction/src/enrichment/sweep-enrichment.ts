import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '#platform/config';
import { PeriodicTasks } from '#platform/lifecycle';
import { JobQueue } from '#platform/queue';
import { Chains } from './chains.js';
import { EnrichTransactionJob } from './enrichment.jobs.js';
import { EnrichmentStore } from './enrichment-store.js';

/** Maximum number of transactions that may be in the queue at the same time. */
const QUEUED_MAX = 100;

/** Enqueues a job for each transaction that is due for a look-up on a configured chain. It runs in every worker. */
@Injectable()
export class SweepEnrichment implements OnApplicationBootstrap {
  constructor(
    private readonly store: EnrichmentStore,
    private readonly chains: Chains,
    private readonly jobs: JobQueue,
    private readonly config: Config,
    private readonly periodicTasks: PeriodicTasks,
  ) {}

  onApplicationBootstrap(): void {
    if (this.chains.networks().length === 0) return;
    const everyMs = this.config.constants.ENRICHMENT_SWEEP_SECONDS * 1_000;
    this.periodicTasks.startDueWork('sweep of transactions to look up', everyMs, () => this.execute());
  }

  /**
   * Runs one sweep. The networks share the limit, so that a slow network does not keep the others from the queue.
   * @returns the number of transactions that this sweep has enqueued.
   */
  async execute(): Promise<number> {
    const networks = this.chains.networks();
    return this.jobs.enqueueDue(EnrichTransactionJob, QUEUED_MAX, async (room) => {
      const share = Math.ceil(room / networks.length);
      const due = await Promise.all(networks.map((network) => this.store.takeDue(network, share)));
      return due.flat().map((transactionId) => ({ id: transactionId, payload: { transactionId } }));
    });
  }
}
