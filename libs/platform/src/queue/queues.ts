import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Queue } from 'bullmq';

/** A server that takes longer to say how many jobs wait does not work. */
const REACHABLE_MS = 2_000;

/** The queues of all features of this process, for those who look after them. */
@Injectable()
export class Queues {
  constructor(private readonly discovery: DiscoveryService) {}

  all(): Queue[] {
    const instances = this.discovery.getProviders().map(({ instance }): unknown => instance);
    return [...new Set(instances)].filter((instance): instance is Queue => instance instanceof Queue);
  }

  /** Whether their server answers; one that is frozen keeps its connections. Rejects when it refuses. */
  async isReachable(): Promise<boolean> {
    const [queue] = this.all();
    if (queue === undefined) return true;
    const answered = new AbortController();
    const isLate = sleep(REACHABLE_MS, false, { signal: answered.signal }).catch(() => false);
    const counts = queue.getJobCountByTypes('waiting').then(() => true);
    return Promise.race([counts, isLate]).finally(() => answered.abort());
  }
}
