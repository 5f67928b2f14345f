import { Injectable } from '@nestjs/common';
import { AuthorizationFailed, StepOutOfTurn } from './connect.errors.js';
import { requireOpen, SessionLife } from './session-lifecycle.js';

/** The person does not want to connect. */
@Injectable()
export class CancelSession {
  constructor(private readonly life: SessionLife) {}

  /** @throws NotFound, InvalidState, StepOutOfTurn while an account is being connected, and afterwards */
  async execute(token: string, browser: string | null): Promise<void> {
    const session = await this.life.enter(token, browser);
    requireOpen(session);
    const ended = await this.life.fail(session, new AuthorizationFailed('It was cancelled'), { isFinal: true });
    if (ended === null) throw new StepOutOfTurn();
  }
}
