import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Queue } from 'bullmq';

/** The queue server is reported as unreachable when it takes longer to return the number of waiting jobs. */
const REACHABLE_MS = 2_000;

/** The queues of all features of this process. */
@Injectable()
export class Queues {
  constructor(private readonly discovery: DiscoveryService) {}

  all(): Queue[] {
    const instances = this.discovery.getProviders().map(({ instance }): unknown => instance);
    return [...new Set(instances)].filter((instance): instance is Queue => instance instanceof Queue);
  }

  /** Whether the queue server responds in time. Rejects when the server refuses the request. */
  async isReachable(): Promise<boolean> {
    const [queue] = this.all();
    if (queue === undefined) return true;
    const answered = new AbortController();
    const isLate = sleep(REACHABLE_MS, false, { signal: answered.signal }).catch(() => false);
    const counts = queue.getJobCountByTypes('waiting').then(() => true);
    return Promise.race([counts, isLate]).finally(() => answered.abort());
  }
}
