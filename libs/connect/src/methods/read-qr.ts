import { Injectable } from '@nestjs/common';
import { PollQr } from './poll-qr.js';
import type { QrStatus, SessionState } from '../session/connect-view.js';
import type { ShownQrCode } from '../session/sealed-attempt.js';
import { CONNECT_LEASE_MS, SessionLifecycle } from '../session/session-lifecycle.js';
import { isChosen, SessionStore, type ConnectSession } from '../session/session-store.js';

export interface QrPoll {
  state: SessionState;
  qrStatus: QrStatus | null;
  /** When the shown code expires, epoch milliseconds; it distinguishes a new code from the previous one. */
  qrCodeExpiresAt: number | null;
}

/** Reads the state of a session for its page. While a QR code is shown, it polls the exchange, as the workers do. */
@Injectable()
export class ReadQr {
  constructor(
    private readonly lifecycle: SessionLifecycle,
    private readonly store: SessionStore,
    private readonly pollQr: PollQr,
  ) {}

  /** @throws NotFound, InvalidState */
  async execute(token: string, browser: string | null): Promise<QrPoll> {
    const session = await this.lifecycle.visit(token, browser);
    if (session.state !== 'scanning' || !isChosen(session)) return this.pollOf(session);
    const taken = await this.store.takePoll(session, CONNECT_LEASE_MS);
    if (taken === null) return this.pollOf(session);
    await this.pollQr.execute(session, taken);
    return this.pollOf(await this.lifecycle.visit(token, browser));
  }

  private async pollOf(session: ConnectSession): Promise<QrPoll> {
    const { state, qrStatus } = session;
    if (state !== 'scanning') return { state, qrStatus, qrCodeExpiresAt: null };
    const { expiresAt } = await this.store.unseal<ShownQrCode>(session);
    return { state, qrStatus, qrCodeExpiresAt: Date.parse(expiresAt) };
  }
}
