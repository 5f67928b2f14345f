import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { ExpiredSessions } from './session/expired-sessions.js';
import { SessionLifecycle } from './session/session-lifecycle.js';
import { SessionStore } from './session/session-store.js';
import { SweepSessions } from './session/sweep-sessions.js';

/** Ends overdue sessions and deletes old ones. Only the worker process imports it. */
@Module({ imports: [AccessModule], providers: [ExpiredSessions, SessionLifecycle, SessionStore, SweepSessions] })
export class ConnectWorkerModule {}
