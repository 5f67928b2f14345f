import { Module } from '@nestjs/common';
import { EraseExpiredAnswers } from './idempotency/erase-expired-answers.js';
import { SweepExpiredAnswers } from './idempotency/sweep-expired-answers.js';

/** What the worker does for access; imported by the worker alone. */
@Module({ providers: [EraseExpiredAnswers, SweepExpiredAnswers] })
export class AccessWorkerModule {}
