import { Injectable } from '@nestjs/common';
import { AuthorizationFailed, SessionMoved } from './connect.errors.js';
import { requireOpen, SessionLifecycle } from './session-lifecycle.js';

/** The person does not want to connect. */
@Injectable()
export class CancelSession {
  constructor(private readonly lifecycle: SessionLifecycle) {}

  /** @throws NotFound, InvalidState, SessionMoved while an account is being connected, and afterwards */
  async execute(token: string, browser: string | null): Promise<void> {
    const session = await this.lifecycle.enter(token, browser);
    requireOpen(session);
    const ended = await this.lifecycle.fail(session, new AuthorizationFailed('It was cancelled'), { isFinal: true });
    if (ended === null) throw new SessionMoved();
  }
}
