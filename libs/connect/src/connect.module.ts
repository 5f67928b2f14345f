import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { ExchangeModule } from '#exchange';
import { KycModule } from '#kyc';
import { WalletModule } from '#wallet';
import { ConnectProjectsModule } from './projects/connect-projects.module.js';
import { BeginOAuth } from './session/begin-oauth.js';
import { BeginSession } from './session/begin-session.js';
import { BrowserCookies } from './session/browser-cookies.js';
import { CancelSession } from './session/cancel-session.js';
import { ConnectAccount } from './session/connect-account.js';
import { ConnectSessions } from './session/connect-sessions.service.js';
import { ConnectTokens } from './session/connect-tokens.js';
import { CountriesExcluded } from './session/countries-excluded.js';
import { FinishOAuth } from './session/finish-oauth.js';
import { OpenSession } from './session/open-session.js';
import { ConfirmKey, DiscardKey, SubmitKey } from './session/pasted-key.js';
import { PublicAddress } from './session/public-address.js';
import { BeginQr, ReadQr } from './session/qr-login.js';
import { SessionLife } from './session/session-life.js';
import { SessionRight } from './session/session-right.js';
import { SessionStore } from './session/session-store.js';

const publicFace = [
  BeginOAuth,
  BeginQr,
  BeginSession,
  BrowserCookies,
  CancelSession,
  ConfirmKey,
  ConnectSessions,
  DiscardKey,
  FinishOAuth,
  OpenSession,
  PublicAddress,
  ReadQr,
  SubmitKey,
];

/** Use cases of connecting. */
@Module({
  imports: [AccessModule, ConnectProjectsModule, ExchangeModule, KycModule, WalletModule],
  providers: [ConnectAccount, ConnectTokens, CountriesExcluded, SessionLife, SessionRight, SessionStore, ...publicFace],
  exports: publicFace,
})
export class ConnectModule {}
