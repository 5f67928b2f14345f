import { Module } from '@nestjs/common';
import { AdminTokenGuard } from './guard/admin-token.guard.js';
import { EraseExpiredResponses } from './idempotency/erase-expired-responses.js';
import { SweepExpiredResponses } from './idempotency/sweep-expired-responses.js';
import { RequestRates } from './guard/request-rates.js';

/** Access for the worker process only. */
@Module({
  providers: [AdminTokenGuard, EraseExpiredResponses, RequestRates, SweepExpiredResponses],
  exports: [AdminTokenGuard],
})
export class AccessWorkerModule {}
