import { Module } from '@nestjs/common';
import { AdminTokenGuard } from './guard/admin-token.guard.js';
import { RequestRates } from './guard/request-rates.js';
import { ExpiredResponses } from './idempotency/expired-responses.js';

/**
 * The check of ADMIN_TOKEN and the deletion of expired responses to idempotent requests, for the worker process only.
 */
@Module({ providers: [AdminTokenGuard, ExpiredResponses, RequestRates], exports: [AdminTokenGuard] })
export class AccessWorkerModule {}
