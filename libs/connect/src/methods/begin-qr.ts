import { Injectable } from '@nestjs/common';
import { Authorizations, type PendingQrLogin } from '#exchange';
import { ConnectAccount } from './connect-account.js';
import { preferredFirst } from '../session/connect-sessions.service.js';
import type { ConnectProgress, QrStatus } from '../session/connect-view.js';
import { AuthorizationFailed, SessionMoved } from '../session/connect.errors.js';
import type { ShownQrCode } from '../session/sealed-attempt.js';
import { idleState, requireChosen, SessionLifecycle } from '../session/session-lifecycle.js';
import { isChosen, SessionStore, type ChosenSession, type ConnectSession } from '../session/session-store.js';

/**
 * Maximum number of new QR codes that replace expired ones in one attempt. If each code is valid for two minutes, the
 * session ends before this limit is reached.
 */
const RENEWALS_MAX = 60;

/** Begins a login with the app of the exchange: the page and the messages show a code that the app scans. */
@Injectable()
export class BeginQr {
  constructor(
    private readonly lifecycle: SessionLifecycle,
    private readonly store: SessionStore,
    private readonly authorizations: Authorizations,
    private readonly connectAccount: ConnectAccount,
  ) {}

  /**
   * Begins a login, which replaces the session's earlier attempt. Each call counts as an attempt.
   * @throws NotFound, InvalidState, SessionMoved
   * @throws Error with the reason when the exchange gave no code; the attempt has ended then
   */
  async execute(token: string, browser: string | null): Promise<void> {
    const session = await this.lifecycle.enter(token, browser);
    requireChosen(session);
    await this.show(session);
  }

  /**
   * Begins the login when the link is opened or fetched, if `qr` is the first connect method and no browser owns the
   * session. Binds the session to no browser, because a fetch by another site carries no cookie.
   * @param again true: also begins after a failed attempt. The page passes false, because it lets the person decide
   *   about another attempt.
   * @throws NotFound; Error with the reason when the exchange gave no QR code
   */
  async onVisit(token: string, { again }: { again: boolean }): Promise<void> {
    const session = await this.lifecycle.find(token);
    const { state, error, project, requestedMethod } = session;
    if (!isChosen(session) || state !== 'created' || (error !== null && !again)) return;
    const { exchange } = session;
    const methods = this.authorizations.connectMethods({ exchange, mode: project.mode });
    if (preferredFirst(requestedMethod, methods)[0] !== 'qr') return;
    try {
      await this.show(session);
    } catch (failure) {
      // Another request has already begun the login, so nothing is left to do.
      if (!(failure instanceof SessionMoved)) throw failure;
    }
  }

  /** Replaces a code that has expired. @returns null when the exchange gave no new code; the attempt has ended then */
  async renew(session: ChosenSession): Promise<ConnectSession | null> {
    const { renewals } = await this.store.unseal<ShownQrCode>(session);
    if (renewals >= RENEWALS_MAX) {
      return await this.lifecycle.fail(
        session,
        new AuthorizationFailed('The QR code was not used in time. Begin again'),
      );
    }
    const pending = await this.begin(session).catch(() => null);
    return pending === null ? null : await this.publish(session, pending, renewals + 1);
  }

  private async show(session: ChosenSession): Promise<void> {
    const counted = await this.count(session);
    await this.publish(counted, await this.begin(counted), 0);
  }

  /**
   * Counts the attempt before the call to the exchange, so that only one of several concurrent requests makes the call.
   */
  private async count(session: ChosenSession): Promise<ChosenSession> {
    if (this.lifecycle.hasAttemptsLeft(session)) {
      return await this.lifecycle.step(session, { state: idleState(session), method: 'qr', isAttempt: true });
    }
    const cause = new AuthorizationFailed('There were too many attempts: ask for a new link');
    await this.lifecycle.fail(session, cause, { isFinal: true, isCounted: true });
    throw cause;
  }

  private async begin(session: ChosenSession): Promise<PendingQrLogin> {
    const { exchange, access, project } = session;
    try {
      return await this.authorizations.beginQr({ exchange, mode: project.mode }, { access });
    } catch (error) {
      const cause = this.connectAccount.toDomain(session, error);
      await this.lifecycle.fail(session, cause, { isCounted: true });
      throw cause;
    }
  }

  private async publish(
    session: ChosenSession,
    { id, content, expiresAt }: PendingQrLogin,
    renewals: number,
  ): Promise<ChosenSession> {
    const shown: ShownQrCode = { id: id.reveal(), content, expiresAt: expiresAt.toISOString(), renewals };
    const to = { state: 'scanning', sealed: await this.store.seal(session, shown), qrStatus: 'waiting' } as const;
    return await this.lifecycle.step(session, to, progressOf(shown, 'waiting'));
  }
}

/** Returns the message about a QR code that is shown. */
export function progressOf({ content, expiresAt }: ShownQrCode, status: QrStatus): ConnectProgress {
  const qrCodeStatus = status === 'waiting' ? 'available' : status;
  return { qrCodeUrl: content, qrCodeStatus, qrCodeExpiresAt: Date.parse(expiresAt) };
}
