import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { ExchangeModule } from '#exchange';
import { KycModule } from '#kyc';
import { QueueModule } from '#platform/queue';
import { WalletModule } from '#wallet';
import { BeginQr } from './methods/begin-qr.js';
import { ConnectAccount } from './methods/connect-account.js';
import { PollDueQrLogin } from './methods/poll-due-qr-login.js';
import { PollQr } from './methods/poll-qr.js';
import { PollQrLoginJob } from './methods/qr-login.jobs.js';
import { QrLoginProcessor } from './methods/qr-login.processor.js';
import { SweepQrLogins } from './methods/sweep-qr-logins.js';
import { ConnectProjectsModule } from './projects/connect-projects.module.js';
import { ConnectTokens } from './session/connect-tokens.js';
import { ExpiredSessions } from './session/expired-sessions.js';
import { SessionLifecycle } from './session/session-lifecycle.js';
import { SessionPermission } from './session/session-permission.js';
import { SessionStore } from './session/session-store.js';
import { SweepSessions } from './session/sweep-sessions.js';

/** Follows QR logins, ends overdue sessions and deletes old ones. Only the worker process imports it. */
@Module({
  imports: [
    AccessModule,
    ConnectProjectsModule,
    ExchangeModule,
    KycModule,
    WalletModule,
    QueueModule.forJobs(PollQrLoginJob),
  ],
  providers: [
    BeginQr,
    ConnectAccount,
    ConnectTokens,
    ExpiredSessions,
    PollDueQrLogin,
    PollQr,
    QrLoginProcessor,
    SessionLifecycle,
    SessionPermission,
    SessionStore,
    SweepQrLogins,
    SweepSessions,
  ],
})
export class ConnectWorkerModule {}
