import { Module } from '@nestjs/common';
import { AdminDoor } from './admin-door.js';
import { EraseExpiredAnswers } from './idempotency/erase-expired-answers.js';
import { SweepExpiredAnswers } from './idempotency/sweep-expired-answers.js';
import { RequestRates } from './request-rates.js';

/** What the worker does for access; imported by the worker alone. */
@Module({
  providers: [AdminDoor, EraseExpiredAnswers, RequestRates, SweepExpiredAnswers],
  exports: [AdminDoor],
})
export class AccessWorkerModule {}
