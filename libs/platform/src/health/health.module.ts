import { Module } from '@nestjs/common';
import { CheckVaultKeys } from './check-vault-keys.js';
import { Health } from './health.service.js';
import { Probes } from './probes.js';
import { WatchDatabase } from './watch-database.js';

/**
 * The health checks, and the metrics about the database. Each app has a controller for the checks, because only the API
 * has access rules.
 */
@Module({ providers: [CheckVaultKeys, Health, Probes, WatchDatabase], exports: [Health] })
export class HealthModule {}
