import { Inject, Injectable } from '@nestjs/common';
import { AuthorizationError, Authorizations, type PendingQrLogin, type QrLoginState } from '#exchange';
import { Secret } from '#platform/crypto';
import { logFailedWork } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { ConnectAccount } from './connect-account.js';
import type { ConnectProgress, QrStatus, SessionState } from '../session/connect-view.js';
import { AccessDenied, AuthorizationFailed, SessionMoved } from '../session/connect.errors.js';
import type { ShownQrCode } from '../session/sealed-attempt.js';
import { CONNECT_LEASE_MS, requireOpen, SessionLifecycle } from '../session/session-lifecycle.js';
import { SessionStore, type ConnectSession } from '../session/session-store.js';

export interface QrPoll {
  state: SessionState;
  qrStatus: QrStatus | null;
}

/** Least pause between two polls of the exchange for one session. The polls of all open pages share it. */
const POLL_PAUSE_MS = 1_000;

/** Begins a login with the app of the exchange: the page shows a code that the app scans. */
@Injectable()
export class BeginQr {
  constructor(
    private readonly lifecycle: SessionLifecycle,
    private readonly store: SessionStore,
    private readonly authorizations: Authorizations,
    private readonly connectAccount: ConnectAccount,
  ) {}

  /**
   * Replaces whatever the session had begun before. It always counts as an attempt.
   * @throws NotFound, InvalidState, SessionMoved
   * @throws Error with the reason when the exchange gave no code; the attempt has ended then
   */
  async execute(token: string, browser: string | null): Promise<void> {
    const session = await this.lifecycle.enter(token, browser);
    requireOpen(session);
    const counted = await this.count(session);
    const { id, content, expiresAt } = await this.begin(counted);
    const shown: ShownQrCode = { id: id.reveal(), content, expiresAt: expiresAt.toISOString() };
    const sealed = this.store.seal(counted, shown);
    const told = progressOf(shown, 'waiting');
    await this.lifecycle.step(counted, { state: 'scanning', sealed, qrStatus: 'waiting' }, told);
  }

  /** Counts the attempt before the exchange is asked, so that of many concurrent requests only one proceeds. */
  private async count(session: ConnectSession): Promise<ConnectSession> {
    if (this.lifecycle.hasAttemptsLeft(session)) {
      return await this.lifecycle.step(session, { state: 'opened', method: 'qr', isAttempt: true });
    }
    const cause = new AuthorizationFailed('There were too many attempts: ask for a new link');
    await this.lifecycle.fail(session, cause, { isFinal: true, isCounted: true });
    throw cause;
  }

  private async begin(session: ConnectSession): Promise<PendingQrLogin> {
    const { exchange, access, project } = session;
    try {
      return await this.authorizations.beginQr({ exchange, mode: project.mode }, { access });
    } catch (error) {
      const cause = this.connectAccount.toDomain(session, error);
      await this.lifecycle.fail(session, cause, { isCounted: true });
      throw cause;
    }
  }
}

/** Reads the state of a session. While a QR code is shown, it polls the exchange. */
@Injectable()
export class ReadQr {
  constructor(
    private readonly lifecycle: SessionLifecycle,
    private readonly store: SessionStore,
    private readonly authorizations: Authorizations,
    private readonly connectAccount: ConnectAccount,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @throws NotFound, InvalidState */
  async execute(token: string, browser: string | null): Promise<QrPoll> {
    const session = await this.lifecycle.enter(token, browser);
    if (session.state !== 'scanning') return pollOf(session);
    // An exchange may report a confirmation only once, so the request that polls must also connect the account.
    const taken = await this.store.takePoll(session, CONNECT_LEASE_MS);
    if (taken === null) return pollOf(session);
    try {
      const answer = await this.ask(session);
      if (answer !== null) await this.goOn(session, answer);
    } finally {
      await this.store.endPoll(session, taken, POLL_PAUSE_MS);
    }
    return pollOf(await this.lifecycle.enter(token, browser));
  }

  /** Polls the exchange. null when the exchange gave no usable response. */
  private async ask(session: ConnectSession): Promise<QrLoginState | null> {
    const { exchange, project } = session;
    const { id } = this.store.unseal<ShownQrCode>(session);
    try {
      return await this.authorizations.readQr({ exchange, mode: project.mode }, new Secret(id));
    } catch (error) {
      if (!(error instanceof AuthorizationError && error.failure === 'unavailable')) {
        return await this.fail(session, this.connectAccount.toDomain(session, error));
      }
      logFailedWork(this.logger, error, 'the state of a QR login could not be read', {
        projectId: project.id,
        exchange,
      });
      return null;
    }
  }

  private async goOn(session: ConnectSession, answer: QrLoginState): Promise<void> {
    try {
      switch (answer.status) {
        case 'confirmed':
          await this.connectAccount.execute(session, 'qr', () => Promise.resolve(answer.authorized));
          break;
        case 'denied':
          await this.fail(session, new AccessDenied(session.exchange));
          break;
        case 'expired':
          await this.fail(session, new AuthorizationFailed('The QR code was not used in time. Ask for a new one'));
          break;
        default:
          await this.note(session, answer.status);
      }
    } catch (error) {
      // The person has meanwhile chosen another method or ended the session. Its current state is read again.
      if (!(error instanceof SessionMoved)) throw error;
      if (answer.status === 'confirmed') await this.connectAccount.discardUnused(session, answer.authorized);
    }
  }

  private async note(session: ConnectSession, status: QrStatus): Promise<void> {
    const { sealed, qrStatus } = session;
    if (status === qrStatus || sealed === null) return;
    const told = progressOf(this.store.unseal<ShownQrCode>(session), status);
    await this.lifecycle.step(session, { state: 'scanning', sealed, qrStatus: status }, told);
  }

  private async fail(session: ConnectSession, cause: unknown): Promise<null> {
    await this.lifecycle.fail(session, cause);
    return null;
  }
}

/** The message about a QR code that is shown. */
function progressOf({ content, expiresAt }: ShownQrCode, status: QrStatus): ConnectProgress {
  const qrCodeStatus = status === 'waiting' ? 'available' : status;
  return { qrCodeUrl: content, qrCodeStatus, qrCodeExpiresAt: Date.parse(expiresAt) };
}

function pollOf({ state, qrStatus }: ConnectSession): QrPoll {
  return { state, qrStatus };
}
