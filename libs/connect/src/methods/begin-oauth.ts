import { Injectable } from '@nestjs/common';
import { Authorizations, type PendingAuthorization } from '#exchange';
import { ConnectAccount } from './connect-account.js';
import { digestOf } from '../session/connect-tokens.js';
import { PublicAddress } from '../session/public-address.js';
import type { SentToExchange } from '../session/sealed-attempt.js';
import { requireChosen, SessionLifecycle } from '../session/session-lifecycle.js';
import { SessionStore, type ChosenSession } from '../session/session-store.js';

/** Sends a person to the page of the exchange. */
@Injectable()
export class BeginOAuth {
  constructor(
    private readonly lifecycle: SessionLifecycle,
    private readonly store: SessionStore,
    private readonly authorizations: Authorizations,
    private readonly connectAccount: ConnectAccount,
    private readonly address: PublicAddress,
  ) {}

  /**
   * Begins an attempt, which replaces the session's earlier attempt: its OAuth `state` is no longer accepted.
   * @throws NotFound, InvalidState, SessionMoved
   * @throws Error with the reason when no authorization could begin; the attempt has ended then
   */
  async execute(token: string, browser: string | null): Promise<{ url: string }> {
    const session = await this.lifecycle.enter(token, browser);
    requireChosen(session);
    const redirectUri = this.address.url(`/v0/oauth2/${session.exchange}/callback`);
    const pending = await this.begin(session, redirectUri);
    const state = pending.state.reveal();
    const sentAway: SentToExchange = { state, codeVerifier: pending.codeVerifier.reveal(), redirectUri };
    const sealed = await this.store.seal(session, sentAway);
    await this.lifecycle.step(session, { state: 'authorizing', method: 'oauth', stateHash: digestOf(state), sealed });
    return { url: pending.url };
  }

  private async begin(session: ChosenSession, redirectUri: string): Promise<PendingAuthorization> {
    const { exchange, access, project } = session;
    try {
      return await this.authorizations.begin({ exchange, mode: project.mode }, { redirectUri, access });
    } catch (error) {
      const cause = this.connectAccount.toDomain(session, error);
      await this.lifecycle.fail({ ...session, method: 'oauth' }, cause);
      throw cause;
    }
  }
}
