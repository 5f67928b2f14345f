import { Module } from '@nestjs/common';
import { SessionLifecycle } from './session/session-lifecycle.js';
import { SessionStore } from './session/session-store.js';
import { SweepSessions } from './session/sweep-sessions.js';

/** What ends sessions and keeps their table small. For the worker process alone. */
@Module({ providers: [SessionLifecycle, SessionStore, SweepSessions] })
export class ConnectWorkerModule {}
