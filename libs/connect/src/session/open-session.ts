import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { BrowserCookies } from './browser-cookies.js';
import { digestOf } from './connect-tokens.js';
import type { BrowserCookie } from './connect-view.js';
import { StepOutOfTurn } from './connect.errors.js';
import { requireBrowser, SessionLife } from './session-life.js';
import { hasEnded, SessionStore } from './session-store.js';

const BROWSER_SECRET_BYTES = 32;

export interface OpenedSession {
  /** What the browser is known by from now on. */
  browser: string;
  /** To be set; null: it has it. */
  cookie: BrowserCookie | null;
}

/** The first step that somebody takes makes a session the session of that browser. */
@Injectable()
export class OpenSession {
  constructor(
    private readonly life: SessionLife,
    private readonly store: SessionStore,
    private readonly cookies: BrowserCookies,
    private readonly clock: Clock,
  ) {}

  /** @throws NotFound, InvalidState for another browser, StepOutOfTurn for one that ended before anybody opened it */
  async execute(token: string, browser: string | null): Promise<OpenedSession> {
    const session = await this.life.find(token);
    if (session.browserHash === null) {
      if (hasEnded(session)) throw new StepOutOfTurn();
      // Never one that the browser brought: somebody else may have put it there.
      const made = randomBytes(BROWSER_SECRET_BYTES).toString('base64url');
      const moved = await this.store.move(session, { state: 'opened', browserHash: digestOf(made) });
      if (moved !== null) {
        const seconds = Math.ceil((session.expiresAt.getTime() - this.clock.now().getTime()) / 1_000);
        return { browser: made, cookie: this.cookies.make(session.tokenHash, made, seconds) };
      }
    }
    const now = await this.life.find(token);
    requireBrowser(now, browser);
    return { browser: browser ?? '', cookie: null };
  }
}
