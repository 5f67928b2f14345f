import { Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { AccessGuard } from './access.guard.js';
import { AccessModule } from './access.module.js';
import { AdminController } from './admin.controller.js';
import { ApiKeyLookup } from './api-key-lookup.js';
import { LastUse } from './last-use.js';
import { OrganizationController } from './organization.controller.js';
import { RequestRates } from './request-rates.js';
import { RouteCheck } from './route-check.js';
import { VerifyCredentials } from './verify-credentials.js';

/** The guard of every route of the process that imports it, and the routes about the caller's own key. */
@Module({
  imports: [AccessModule, DiscoveryModule],
  controllers: [OrganizationController],
  providers: [
    ApiKeyLookup,
    LastUse,
    RequestRates,
    RouteCheck,
    VerifyCredentials,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
})
export class AccessApiModule {}

/** `/v0/admin/*`. An application lists it only when ADMIN_TOKEN is set (and when it writes the API description). */
@Module({
  imports: [AccessModule],
  controllers: [AdminController],
})
export class AccessAdminApiModule {}
