import { Module } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR, DiscoveryModule } from '@nestjs/core';
import { KeyConcurrency } from '#platform/load';
import { AccessGuard } from './access.guard.js';
import { AccessModule } from './access.module.js';
import { AdminDoor } from './admin-door.js';
import { AdminController } from './admin.controller.js';
import { Callers } from './callers.js';
import { FollowApiKeys } from './follow-api-keys.js';
import { IdempotencyInterceptor } from './idempotency/idempotency.interceptor.js';
import { IdempotentAnswers } from './idempotency/idempotent-answers.js';
import { LastUse } from './last-use.js';
import { OrganizationController } from './organization.controller.js';
import { RequestRates } from './request-rates.js';
import { RouteCheck } from './route-check.js';
import { VerifyCredentials } from './verify-credentials.js';

/**
 * The guard of every route of the process that imports it, idempotency keys, the routes about the caller's own key, and `/v0/admin/*`.
 * Without ADMIN_TOKEN the guard answers the latter as if they were not there: the API description is the same either way.
 */
@Module({
  imports: [AccessModule, DiscoveryModule],
  controllers: [OrganizationController, AdminController],
  providers: [
    AdminDoor,
    Callers,
    FollowApiKeys,
    IdempotentAnswers,
    KeyConcurrency,
    LastUse,
    RequestRates,
    RouteCheck,
    VerifyCredentials,
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
  ],
})
export class AccessApiModule {}
