import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Queue } from 'bullmq';

/** The queues of all features of this process, for those who look after them. */
@Injectable()
export class Queues {
  constructor(private readonly discovery: DiscoveryService) {}

  all(): Queue[] {
    const instances = this.discovery.getProviders().map(({ instance }): unknown => instance);
    return [...new Set(instances)].filter((instance): instance is Queue => instance instanceof Queue);
  }
}
