import { Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { RefuseControlCharacters, RefuseOnlyIfCached } from '#platform/http';
import { KeyConcurrency } from '#platform/load';
import { AccessGuard } from './guard/access.guard.js';
import { AccessModule } from './access.module.js';
import { AdminTokenGuard } from './guard/admin-token.guard.js';
import { AdminController } from './endpoints/admin.controller.js';
import { Callers } from './guard/callers.js';
import { FollowApiKeys } from './keys/follow-api-keys.js';
import { LastUse } from './keys/last-use.js';
import { OrganizationController } from './endpoints/organization.controller.js';
import { RequestRates } from './guard/request-rates.js';
import { RouteCheck } from './endpoints/route-check.js';
import { VerifyCredentials } from './guard/verify-credentials.js';

/**
 * Registers the guards of every route of the process that imports this module. It also provides idempotency
 * keys, the routes about the caller's own key, and `/v0/admin/*`.
 * Without ADMIN_TOKEN, `/v0/admin/*` answers 404. Its routes stay registered, so that the API description is always the
 * same.
 */
@Module({
  imports: [AccessModule, DiscoveryModule],
  controllers: [OrganizationController, AdminController],
  providers: [
    AdminTokenGuard,
    Callers,
    FollowApiKeys,
    KeyConcurrency,
    LastUse,
    RequestRates,
    RouteCheck,
    VerifyCredentials,
    AccessGuard,
    // In this order: what a request contains is checked only after its credentials.
    { provide: APP_GUARD, useExisting: AccessGuard },
    { provide: APP_GUARD, useClass: RefuseControlCharacters },
    { provide: APP_GUARD, useClass: RefuseOnlyIfCached },
  ],
})
export class AccessApiModule {}
