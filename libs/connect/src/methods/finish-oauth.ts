import { Injectable } from '@nestjs/common';
import { Authorizations } from '#exchange';
import { Secret } from '#platform/crypto';
import { Shutdown } from '#platform/lifecycle';
import { runAsMoney } from '#platform/load';
import { ConnectFailures } from '#wallet';
import type { SentToExchange } from '../session/sealed-attempt.js';
import { BrowserCookies } from '../session/browser-cookies.js';
import { clientOf, ConnectAccount } from './connect-account.js';
import { ConnectTokens, digestOf } from '../session/connect-tokens.js';
import { InvalidState, SessionMoved } from '../session/connect.errors.js';
import { isBrowserOf, SessionLifecycle } from '../session/session-lifecycle.js';
import { isChosen, SessionStore, type ChosenSession, type ConnectSession } from '../session/session-store.js';

export interface FinishedOAuth {
  /** The token of the session, whether the session continues or has ended. */
  token: string;
  /**
   * Resolves when the connect has ended, which may take as long as the exchange takes to respond. The result is the
   * reason why nothing was connected. null = the account is connected, or the session's page shows the reason.
   */
  outcome: Promise<Error | null>;
}

/** Handles the return of a person from the exchange. */
@Injectable()
export class FinishOAuth {
  constructor(
    private readonly lifecycle: SessionLifecycle,
    private readonly store: SessionStore,
    private readonly authorizations: Authorizations,
    private readonly connectAccount: ConnectAccount,
    private readonly failures: ConnectFailures,
    private readonly cookies: BrowserCookies,
    private readonly tokens: ConnectTokens,
    private readonly shutdown: Shutdown,
  ) {}

  /**
   * Handles one callback. An OAuth `state` is accepted once, and only from the session's browser and for the session's
   * exchange. A request from another browser changes nothing. When the session's browser repeats the callback (a
   * reload), it is redirected to the page of the session, and the exchange is not called.
   * @param parameters of the callback, as received
   * @param request the `cookie` header of the request, and the network address of the browser
   * @throws InvalidState
   */
  async execute(
    exchange: string,
    parameters: URLSearchParams,
    { cookieHeader, address }: { cookieHeader: string | undefined; address: string },
  ): Promise<FinishedOAuth> {
    const { session, isSpent } = await this.findSession(exchange, parameters, cookieHeader);
    const token = this.tokens.tokenOf(session.id);
    if (isSpent || session.state !== 'authorizing' || !isChosen(session)) {
      return { token, outcome: Promise.resolve(null) };
    }
    return { token, outcome: this.finish(session, parameters, address) };
  }

  private async finish(session: ChosenSession, parameters: URLSearchParams, address: string): Promise<Error | null> {
    const connecting = this.connect(session, parameters, address);
    // The browser is redirected to the page before a slow connect ends. After that, only `addWork` keeps the process
    // running until the connect ends.
    this.shutdown.addWork(connecting);
    try {
      return await connecting;
    } catch (error) {
      // A concurrent request with the same callback was faster, and the page of the session shows its outcome.
      if (error instanceof SessionMoved) return null;
      throw error;
    }
  }

  private async connect(session: ChosenSession, parameters: URLSearchParams, address: string): Promise<Error | null> {
    const { state, codeVerifier, redirectUri } = await this.store.unseal<SentToExchange>(session);
    const pending = { state: new Secret(state), codeVerifier: new Secret(codeVerifier) };
    // The exchange issues the tokens once, so they must be stored even under overload.
    return await runAsMoney(() =>
      this.connectAccount.execute(session, 'oauth', async (claimed) => {
        // The check precedes `finish`, because `finish` may create an API key at the exchange. If the check failed
        // afterwards, this key would be left there unused.
        await this.connectAccount.check(claimed);
        const { exchange, access, project } = claimed;
        const back = { parameters, redirectUri, pending, access };
        const client = clientOf(claimed, address);
        return await this.failures.limit({ projectId: project.id, exchange, client }, () =>
          this.authorizations.finish({ exchange, mode: project.mode }, back),
        );
      }),
    );
  }

  private async findSession(
    exchange: string,
    parameters: URLSearchParams,
    cookieHeader: string | undefined,
  ): Promise<{ session: ConnectSession; isSpent: boolean }> {
    const [state, ...others] = parameters.getAll('state');
    if (state === undefined || others.length > 0) throw new InvalidState();
    const hash = digestOf(state);
    const current = await this.store.find('state_hash', hash);
    const found = current ?? (await this.store.find('spent_state_hash', hash));
    if (found === null || found.exchange !== exchange) throw new InvalidState();
    if (!isBrowserOf(found, this.cookies.readOf(found.tokenHash, cookieHeader))) throw new InvalidState();
    return { session: await this.lifecycle.settle(found), isSpent: current === null };
  }
}
