import { Inject, Injectable } from '@nestjs/common';
import { AuthorizationError, Authorizations, type QrLoginState } from '#exchange';
import { Secret } from '#platform/crypto';
import { logFailedWork } from '#platform/errors';
import { runAsMoney } from '#platform/load';
import { LOGGER, type Logger } from '#platform/logging';
import { BeginQr, progressOf } from './begin-qr.js';
import { ConnectAccount } from './connect-account.js';
import type { QrStatus } from '../session/connect-view.js';
import { AccessDenied, SessionMoved } from '../session/connect.errors.js';
import type { ShownQrCode } from '../session/sealed-attempt.js';
import { SessionLifecycle } from '../session/session-lifecycle.js';
import { SessionStore, type ChosenSession } from '../session/session-store.js';

/**
 * Least pause between two polls of the exchange for one session, counted over the workers and all open pages together.
 */
const POLL_PAUSE_MS = 1_000;

/** Polls the exchange once for a login with its app, and records the state of the login. */
@Injectable()
export class PollQr {
  constructor(
    private readonly lifecycle: SessionLifecycle,
    private readonly store: SessionStore,
    private readonly authorizations: Authorizations,
    private readonly connectAccount: ConnectAccount,
    private readonly beginQr: BeginQr,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * @param session in the state `scanning`
   * @param taken end of the caller's exclusive right to poll. An exchange may report a confirmation only once, so the
   *   process that polls must also connect the account.
   */
  async execute(session: ChosenSession, taken: Date): Promise<void> {
    // The exchange returns credentials once, so they must be stored even under overload.
    await runAsMoney(() => this.poll(session, taken));
  }

  private async poll(session: ChosenSession, taken: Date): Promise<void> {
    try {
      const answer = await this.ask(session);
      if (answer !== null) await this.goOn(session, answer);
    } catch (error) {
      // During the poll, the person has chosen another method or ended the session.
      if (!(error instanceof SessionMoved)) throw error;
    } finally {
      await this.store.endPoll(session, taken, POLL_PAUSE_MS);
    }
  }

  /** Polls the exchange. Returns null when the exchange gave no usable response. */
  private async ask(session: ChosenSession): Promise<QrLoginState | null> {
    // The code has expired, and the process that recorded the expiry has died before it showed a new code. This process
    // therefore shows a new code.
    if (session.qrStatus === 'expired') return { status: 'expired' };
    const { exchange, project } = session;
    const { id } = await this.store.unseal<ShownQrCode>(session);
    try {
      return await this.authorizations.readQr({ exchange, mode: project.mode }, new Secret(id));
    } catch (error) {
      if (!(error instanceof AuthorizationError && error.failure === 'unavailable')) {
        await this.lifecycle.fail(session, this.connectAccount.toDomain(session, error));
        return null;
      }
      logFailedWork(this.logger, error, 'the state of a QR login could not be read', {
        projectId: project.id,
        exchange,
      });
      return null;
    }
  }

  private async goOn(session: ChosenSession, answer: QrLoginState): Promise<void> {
    switch (answer.status) {
      case 'confirmed':
        return await this.connect(session, answer);
      case 'denied':
        return void (await this.lifecycle.fail(session, new AccessDenied(this.connectAccount.nameOf(session))));
      case 'expired':
        return void (await this.beginQr.renew(await this.note(session, 'expired')));
      default:
        await this.note(session, answer.status);
    }
  }

  private async connect(
    session: ChosenSession,
    { authorized }: Extract<QrLoginState, { status: 'confirmed' }>,
  ): Promise<void> {
    try {
      await this.connectAccount.execute(session, 'qr', () => Promise.resolve(authorized));
    } catch (error) {
      if (error instanceof SessionMoved) await this.connectAccount.discardUnused(session, authorized);
      throw error;
    }
  }

  private async note(session: ChosenSession, status: QrStatus): Promise<ChosenSession> {
    const { sealed, qrStatus } = session;
    if (status === qrStatus || sealed === null) return session;
    const progress = progressOf(await this.store.unseal<ShownQrCode>(session), status);
    return await this.lifecycle.step(session, { state: 'scanning', sealed, qrStatus: status }, progress);
  }
}
