import { Injectable, type OnModuleInit } from '@nestjs/common';
import { MetricsServer } from '#platform/metrics';
import { Health } from './health.service.js';

/** Serves the probes also on the metrics port, so that they respond while API clients keep the other port busy. */
@Injectable()
export class Probes implements OnModuleInit {
  constructor(
    private readonly health: Health,
    private readonly server: MetricsServer,
  ) {}

  onModuleInit(): void {
    this.server.addProbe('/livez', () => Promise.resolve({ status: 200, body: { status: 'alive' } }));
    this.server.addProbe('/readyz', async () => {
      const body = await this.health.check();
      return { status: body.status === 'ready' ? 200 : 503, body };
    });
  }
}
