import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { Clock } from '#platform/clock';
import { Metrics } from '#platform/metrics';
import { Queues } from './queues.js';

const STATES = ['waiting', 'active', 'delayed', 'failed'] as const;

/** Exports the number of jobs and the lag of each queue. Every worker exports the same numbers. */
@Injectable()
export class QueueMetrics implements OnModuleInit {
  constructor(
    private readonly queues: Queues,
    private readonly metrics: Metrics,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge(
      {
        name: 'causeway_queue_jobs',
        help: 'Jobs by state: waiting, active, delayed until a later time, and failed jobs that are kept.',
        labels: ['queue', 'state'],
      },
      async (gauge) => {
        const counts = await this.ofEach((queue) => queue.getJobCounts(...STATES));
        for (const [queue, of] of counts) for (const state of STATES) gauge.set({ queue, state }, of[state] ?? 0);
      },
    );
    this.metrics.gauge(
      {
        name: 'causeway_queue_lag_seconds',
        help: 'How long the oldest waiting job has been due; 0 = no job waits.',
        labels: ['queue'],
      },
      async (gauge) => {
        for (const [queue, seconds] of await this.ofEach((one) => this.lagOf(one))) gauge.set({ queue }, seconds);
      },
    );
  }

  private ofEach<T>(read: (queue: Queue) => Promise<T>): Promise<[string, T][]> {
    return Promise.all(this.queues.all().map(async (queue) => [queue.name, await read(queue)] as [string, T]));
  }

  private async lagOf(queue: Queue): Promise<number> {
    const [oldest] = await queue.getJobs(['waiting'], 0, 0, true);
    if (oldest === undefined) return 0;
    const dueAt = oldest.timestamp + (oldest.opts.delay ?? 0);
    return Math.max(0, this.clock.now().getTime() - dueAt) / 1_000;
  }
}
