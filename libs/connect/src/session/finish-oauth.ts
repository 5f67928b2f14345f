import { Injectable } from '@nestjs/common';
import { Authorizations } from '#exchange';
import { Secret } from '#platform/crypto';
import type { SentAway } from './begin-oauth.js';
import { BrowserCookies } from './browser-cookies.js';
import { ConnectAccount } from './connect-account.js';
import { ConnectTokens, digestOf } from './connect-tokens.js';
import { InvalidState } from './connect.errors.js';
import { isBrowserOf, SessionLife } from './session-life.js';
import { SessionStore, type ConnectSession } from './session-store.js';

export interface FinishedOAuth {
  /** Of the session that goes on, or has ended. */
  token: string;
  /** Why nothing was connected; null: it was. */
  error: Error | null;
}

/** Somebody comes back from an exchange. */
@Injectable()
export class FinishOAuth {
  constructor(
    private readonly life: SessionLife,
    private readonly store: SessionStore,
    private readonly authorizations: Authorizations,
    private readonly connectAccount: ConnectAccount,
    private readonly cookies: BrowserCookies,
    private readonly tokens: ConnectTokens,
  ) {}

  /**
   * A state counts once, for the browser and the exchange that it was made for; whoever else brings it changes nothing.
   * @param parameters of the callback, as they came
   * @param cookieHeader of the request
   * @throws InvalidState
   */
  async execute(
    exchange: string,
    parameters: URLSearchParams,
    cookieHeader: string | undefined,
  ): Promise<FinishedOAuth> {
    const session = await this.findSession(exchange, parameters, cookieHeader);
    const { state, codeVerifier, redirectUri } = this.store.unseal<SentAway>(session);
    const pending = { state: new Secret(state), codeVerifier: new Secret(codeVerifier) };
    const error = await this.connectAccount.execute(session, 'oauth', ({ access, project }) =>
      this.authorizations.finish({ exchange, mode: project.mode }, { parameters, redirectUri, pending, access }),
    );
    return { token: this.tokens.tokenOf(session.id), error };
  }

  private async findSession(
    exchange: string,
    parameters: URLSearchParams,
    cookieHeader: string | undefined,
  ): Promise<ConnectSession> {
    const [state, ...others] = parameters.getAll('state');
    if (state === undefined || others.length > 0) throw new InvalidState();
    const found = await this.store.find('state_hash', digestOf(state));
    if (found === null || found.exchange !== exchange) throw new InvalidState();
    if (!isBrowserOf(found, this.cookies.readOf(found.tokenHash, cookieHeader))) throw new InvalidState();
    const session = await this.life.settle(found);
    if (session.state !== 'authorizing') throw new InvalidState();
    return session;
  }
}
