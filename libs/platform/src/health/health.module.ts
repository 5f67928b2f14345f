import { Module } from '@nestjs/common';
import { Health } from './health.service.js';
import { Probes } from './probes.js';
import { WatchHostClock } from './watch-host-clock.js';

/**
 * The health checks, and the comparison of the host's clock with the database's. Each app has a controller for them,
 * because only the API has access rules.
 */
@Module({ providers: [Health, Probes, WatchHostClock], exports: [Health] })
export class HealthModule {}
