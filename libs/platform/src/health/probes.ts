import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { MetricsServer } from '#platform/metrics';
import { Health } from './health.service.js';

/** Serves the probes also on the metrics port, so that they respond while API clients keep the other port busy. */
@Injectable()
export class Probes implements OnApplicationBootstrap {
  /** Whether the modules are initialized. The metrics port responds earlier, and a start can wait for the database. */
  private isStarted = false;

  constructor(health: Health, server: MetricsServer) {
    server.addProbe('/livez', () => Promise.resolve({ status: 200, body: { status: 'alive' } }));
    server.addProbe('/readyz', async () => {
      const { status, checks, pauses } = await health.check();
      if (status === 'ready' && this.isStarted) return { status: 200, body: { status, checks, pauses } };
      return { status: 503, body: { status: 'unavailable', checks, pauses } };
    });
  }

  onApplicationBootstrap(): void {
    this.isStarted = true;
  }
}
