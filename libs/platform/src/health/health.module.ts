import { Module } from '@nestjs/common';
import { Health } from './health.service.js';

/** The checks; each app has its own controller, because only the API knows access rules. */
@Module({ providers: [Health], exports: [Health] })
export class HealthModule {}
