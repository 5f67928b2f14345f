import { Inject, Injectable } from '@nestjs/common';
import { AuthorizationError, Authorizations, type PendingQrLogin, type QrLoginState } from '#exchange';
import { Config } from '#platform/config';
import { Secret } from '#platform/crypto';
import { logFailedWork } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { ConnectAccount } from './connect-account.js';
import type { QrStatus, SessionState } from '../session/connect-view.js';
import { AuthorizationFailed, SessionMoved } from '../session/connect.errors.js';
import type { ShownQrCode } from '../session/sealed-attempt.js';
import { requireOpen, SessionLifecycle } from '../session/session-lifecycle.js';
import { SessionStore, type ConnectSession } from '../session/session-store.js';

export interface QrPoll {
  state: SessionState;
  qrStatus: QrStatus | null;
}

/** However often a page looks, the exchange is asked once a second, and by one at a time. */
const POLL_PAUSE_MS = 1_000;

/** Begins a login by the exchange's app: the page shows a code, and the app reads it. */
@Injectable()
export class BeginQr {
  constructor(
    private readonly lifecycle: SessionLifecycle,
    private readonly store: SessionStore,
    private readonly authorizations: Authorizations,
    private readonly connectAccount: ConnectAccount,
  ) {}

  /**
   * Takes the place of what was begun before, in this session. Counts as an attempt, whatever comes of it.
   * @throws NotFound, InvalidState, SessionMoved, and why the exchange gave no code; that ends the attempt.
   */
  async execute(token: string, browser: string | null): Promise<void> {
    const session = await this.lifecycle.enter(token, browser);
    requireOpen(session);
    const counted = await this.count(session);
    const { id, content, expiresAt } = await this.begin(counted);
    const shown: ShownQrCode = { id: id.reveal(), content, expiresAt: expiresAt.toISOString() };
    const sealed = this.store.seal(counted, shown);
    await this.lifecycle.step(counted, { state: 'scanning', sealed, qrStatus: 'waiting' }, { status: 'waiting' });
  }

  /** Before the exchange is asked: of many at once one may. */
  private async count(session: ConnectSession): Promise<ConnectSession> {
    if (this.lifecycle.hasAttemptsLeft(session)) {
      return await this.lifecycle.step(session, { state: 'opened', way: 'qr', isAttempt: true });
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

/** A look at how far a session is; while a QR code is shown, the exchange is asked. */
@Injectable()
export class ReadQr {
  constructor(
    private readonly lifecycle: SessionLifecycle,
    private readonly store: SessionStore,
    private readonly authorizations: Authorizations,
    private readonly connectAccount: ConnectAccount,
    private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @throws NotFound, InvalidState */
  async execute(token: string, browser: string | null): Promise<QrPoll> {
    const session = await this.lifecycle.enter(token, browser);
    if (session.state !== 'scanning') return pollOf(session);
    // An exchange may say once that it was confirmed: who asks has to be the one that goes on.
    const leaseMs = this.config.values.CONNECT_LEASE_SECONDS * 1_000;
    const taken = await this.store.takePoll(session, leaseMs);
    if (taken === null) return pollOf(session);
    try {
      const answer = await this.ask(session);
      if (answer !== null) await this.goOn(session, answer);
    } finally {
      await this.store.endPoll(session, taken, POLL_PAUSE_MS);
    }
    return pollOf(await this.lifecycle.enter(token, browser));
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
      logFailedWork(this.logger, error, 'the state of a QR login was not told', { projectId: project.id, exchange });
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
      // The person has gone on meanwhile, by another way or to the end: where that led to is read again.
      if (!(error instanceof SessionMoved)) throw error;
      if (answer.status === 'confirmed') await this.connectAccount.discardUnused(session, answer.authorized);
    }
  }

  private async note(session: ConnectSession, status: QrStatus): Promise<void> {
    const { sealed, qrStatus } = session;
    if (status === qrStatus || sealed === null) return;
    await this.lifecycle.step(session, { state: 'scanning', sealed, qrStatus: status }, { status });
  }

  private async fail(session: ConnectSession, cause: unknown): Promise<null> {
    await this.lifecycle.fail(session, cause);
    return null;
  }
}

function pollOf({ state, qrStatus }: ConnectSession): QrPoll {
  return { state, qrStatus };
}
