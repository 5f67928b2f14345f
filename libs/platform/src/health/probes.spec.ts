import { pino } from 'pino';
import { loadConfig } from '#platform/config';
import { Metrics, MetricsServer } from '#platform/metrics';
import { ManualClock } from '#platform/testing';
import type { Health } from './health.service.js';
import { Probes } from './probes.js';

describe('the probes on the metrics port', () => {
  it('report a process that still starts as alive and as not ready', async () => {
    const config = loadConfig({ DATABASE_URL: 'postgres://none' });
    const server = new MetricsServer(new Metrics(), config, new ManualClock(), pino({ level: 'silent' }));
    const health: Pick<Health, 'check'> = {
      check: () =>
        Promise.resolve({
          status: 'ready',
          checks: { database: true, vault: true, clock: true, running: true },
          pauses: [],
        }),
    };
    const probes = new Probes(health as Health, server);
    const address = new URL(await server.listen(0, '127.0.0.1'));
    const statuses = (): Promise<number[]> =>
      Promise.all(['/livez', '/readyz'].map(async (path) => (await fetch(new URL(path, address))).status));
    try {
      expect(await statuses()).toEqual([200, 503]);
      probes.onApplicationBootstrap();
      expect(await statuses()).toEqual([200, 200]);
    } finally {
      await server.onApplicationShutdown();
    }
  });
});
