import { Injectable } from '@nestjs/common';
import { ConnectCancelled, SessionMoved } from './connect.errors.js';
import { requireOpen, SessionLifecycle } from './session-lifecycle.js';

/** Ends the session because the person cancels it. */
@Injectable()
export class CancelSession {
  constructor(private readonly lifecycle: SessionLifecycle) {}

  /**
   * @throws NotFound, InvalidState
   * @throws SessionMoved while an account is being connected, and after the session has ended
   */
  async execute(token: string, browser: string | null): Promise<void> {
    const session = await this.lifecycle.enter(token, browser);
    requireOpen(session);
    const ended = await this.lifecycle.fail(session, new ConnectCancelled(), { isFinal: true });
    if (ended === null) throw new SessionMoved();
  }
}
