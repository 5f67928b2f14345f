import { Module } from '@nestjs/common';
import { Health } from './health.service.js';
import { Probes } from './probes.js';
import { WatchHostClock } from './watch-host-clock.js';

/**
 * The health checks and the comparison of clocks. Each app has its own controller, because only the API has access
 * rules.
 */
@Module({ providers: [Health, Probes, WatchHostClock], exports: [Health] })
export class HealthModule {}
