import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { ExchangeModule } from '#exchange';
import { KycModule } from '#kyc';
import { WalletModule } from '#wallet';
import { ConnectProjectsModule } from './projects/connect-projects.module.js';
import { BeginOAuth } from './methods/begin-oauth.js';
import { BeginSession } from './begin/begin-session.js';
import { BrowserCookies } from './session/browser-cookies.js';
import { CancelSession } from './session/cancel-session.js';
import { ConnectAccount } from './methods/connect-account.js';
import { ConnectSessions } from './session/connect-sessions.service.js';
import { ConnectTokens } from './session/connect-tokens.js';
import { ChooseExchange } from './begin/choose-exchange.js';
import { ConnectTerms } from './begin/connect-terms.js';
import { CountriesExcluded } from './begin/countries-excluded.js';
import { FinishOAuth } from './methods/finish-oauth.js';
import { OpenSession } from './session/open-session.js';
import { ConfirmKey, DiscardKey, SubmitKey } from './methods/pasted-key.js';
import { PublicAddress } from './session/public-address.js';
import { BeginQr } from './methods/begin-qr.js';
import { PollQr } from './methods/poll-qr.js';
import { ReadQr } from './methods/read-qr.js';
import { SessionLifecycle } from './session/session-lifecycle.js';
import { SessionPermission } from './session/session-permission.js';
import { SessionStore } from './session/session-store.js';

const publicFace = [
  BeginOAuth,
  BeginQr,
  BeginSession,
  BrowserCookies,
  CancelSession,
  ChooseExchange,
  ConfirmKey,
  ConnectSessions,
  DiscardKey,
  FinishOAuth,
  OpenSession,
  PollQr,
  PublicAddress,
  ReadQr,
  SubmitKey,
];

/** The use cases of connecting. */
@Module({
  imports: [AccessModule, ConnectProjectsModule, ExchangeModule, KycModule, WalletModule],
  providers: [
    ConnectAccount,
    ConnectTerms,
    ConnectTokens,
    CountriesExcluded,
    SessionLifecycle,
    SessionPermission,
    SessionStore,
    ...publicFace,
  ],
  exports: publicFace,
})
export class ConnectModule {}
