import { Inject, Injectable } from '@nestjs/common';
import { AuthorizationError, Authorizations, type PendingQrLogin, type QrLoginState } from '#exchange';
import { Secret } from '#platform/crypto';
import { LOGGER, type Logger } from '#platform/logging';
import { ConnectAccount } from './connect-account.js';
import type { QrStatus, SessionState } from './connect-view.js';
import { AuthorizationFailed, StepOutOfTurn } from './connect.errors.js';
import { requireOpen, SessionLife } from './session-life.js';
import { SessionStore, type ConnectSession } from './session-store.js';

/** What is kept of a login by the exchange's app, sealed. */
export interface ShownQrCode {
  id: string;
  content: string;
  /** ISO 8601. */
  expiresAt: string;
}

export interface QrLook {
  state: SessionState;
  qrStatus: QrStatus | null;
}

/** However often a page looks, the exchange is asked once a second. */
const LOOK_PAUSE_MS = 1_000;

/** Begins a login by the exchange's app: the page shows a code, and the app reads it. */
@Injectable()
export class BeginQr {
  constructor(
    private readonly life: SessionLife,
    private readonly store: SessionStore,
    private readonly authorizations: Authorizations,
    private readonly connectAccount: ConnectAccount,
  ) {}

  /**
   * Takes the place of what was begun before, in this session.
   * @throws NotFound, InvalidState, StepOutOfTurn, and why the exchange gave no code; that ends the attempt.
   */
  async execute(token: string, browser: string | null): Promise<void> {
    const session = await this.life.enter(token, browser);
    requireOpen(session);
    const { id, content, expiresAt } = await this.begin(session);
    const shown: ShownQrCode = { id: id.reveal(), content, expiresAt: expiresAt.toISOString() };
    const sealed = this.store.seal(session, shown);
    await this.life.step(session, { state: 'scanning', way: 'qr', sealed, qrStatus: 'waiting' }, { status: 'waiting' });
  }

  private async begin(session: ConnectSession): Promise<PendingQrLogin> {
    const { exchange, access, project } = session;
    try {
      return await this.authorizations.beginQr({ exchange, mode: project.mode }, { access });
    } catch (error) {
      const cause = this.connectAccount.toDomain(session, error);
      await this.life.fail({ ...session, way: 'qr' }, cause);
      throw cause;
    }
  }
}

/** A look at how far a session is; while a QR code is shown, the exchange is asked. */
@Injectable()
export class ReadQr {
  constructor(
    private readonly life: SessionLife,
    private readonly store: SessionStore,
    private readonly authorizations: Authorizations,
    private readonly connectAccount: ConnectAccount,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @throws NotFound, InvalidState */
  async execute(token: string, browser: string | null): Promise<QrLook> {
    const session = await this.life.enter(token, browser);
    if (session.state !== 'scanning') return lookOf(session);
    if (!(await this.store.takeTurn(session, LOOK_PAUSE_MS))) return lookOf(session);
    const answer = await this.ask(session);
    if (answer !== null) await this.goOn(session, answer);
    return lookOf(await this.life.enter(token, browser));
  }

  /** null: the exchange did not say now. */
  private async ask(session: ConnectSession): Promise<QrLoginState | null> {
    const { exchange, project } = session;
    const { id } = this.store.unseal<ShownQrCode>(session);
    try {
      return await this.authorizations.readQr({ exchange, mode: project.mode }, new Secret(id));
    } catch (error) {
      if (!(error instanceof AuthorizationError && error.failure === 'unavailable')) {
        return await this.fail(session, this.connectAccount.toDomain(session, error));
      }
      this.logger.info({ err: error, projectId: project.id, exchange }, 'the state of a QR login was not told');
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
          await this.fail(session, new AuthorizationFailed('The login was denied in the app of the exchange'));
          break;
        case 'expired':
          await this.fail(session, new AuthorizationFailed('The QR code was not used in time. Ask for a new one'));
          break;
        default:
          await this.note(session, answer.status);
      }
    } catch (error) {
      // Another look at the same moment was faster: where it led to is read again.
      if (!(error instanceof StepOutOfTurn)) throw error;
    }
  }

  private async note(session: ConnectSession, status: QrStatus): Promise<void> {
    const { sealed, qrStatus } = session;
    if (status === qrStatus || sealed === null) return;
    await this.life.step(session, { state: 'scanning', sealed, qrStatus: status }, { status });
  }

  private async fail(session: ConnectSession, cause: unknown): Promise<null> {
    await this.life.fail(session, cause);
    return null;
  }
}

function lookOf({ state, qrStatus }: ConnectSession): QrLook {
  return { state, qrStatus };
}
