import { Module } from '@nestjs/common';
import { AdminTokenGuard } from './guard/admin-token.guard.js';
import { EraseExpiredAnswers } from './idempotency/erase-expired-answers.js';
import { SweepExpiredAnswers } from './idempotency/sweep-expired-answers.js';
import { RequestRates } from './guard/request-rates.js';

/** What the worker does for access; imported by the worker alone. */
@Module({
  providers: [AdminTokenGuard, EraseExpiredAnswers, RequestRates, SweepExpiredAnswers],
  exports: [AdminTokenGuard],
})
export class AccessWorkerModule {}
