import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { BrowserCookies } from './browser-cookies.js';
import { digestOf } from './connect-tokens.js';
import type { BrowserCookie } from './connect-view.js';
import { SessionMoved } from './connect.errors.js';
import { requireBrowser, SessionLifecycle } from './session-lifecycle.js';
import { hasEnded, SessionStore } from './session-store.js';

const BROWSER_SECRET_BYTES = 32;
const BROWSER_SECRET = /^[A-Za-z0-9_-]{43}$/;

export interface OpenedSession {
  /** The secret that identifies the browser from now on. */
  browser: string;
  /** The cookie to set; null when the browser has it already. */
  cookie: BrowserCookie | null;
}

/** Binds a session to the first browser that submits a form of its page. */
@Injectable()
export class OpenSession {
  constructor(
    private readonly lifecycle: SessionLifecycle,
    private readonly store: SessionStore,
    private readonly cookies: BrowserCookies,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the cookie for a browser that only views a session to which no browser is bound yet. The cookie does not
   * bind the session. It identifies the browser when the browser sends a form again because the response was lost.
   * @returns null when the browser has a cookie already, or when a cookie could have been set by another site
   */
  offer(token: string, browser: string | null, expiresAt: Date): BrowserCookie | null {
    if (!this.cookies.areOurs || this.candidate(browser) !== null) return null;
    return this.cookie(digestOf(token), newSecret(), expiresAt);
  }

  /**
   * Binds the session to the browser, or checks that it belongs to that browser.
   * @throws NotFound, InvalidState for another browser, SessionMoved for a session that has ended or is being connected
   *   by a QR login
   */
  async execute(token: string, browser: string | null): Promise<OpenedSession> {
    const session = await this.lifecycle.find(token);
    if (session.browserHash === null) {
      if (hasEnded(session) || session.state === 'connecting') throw new SessionMoved();
      const candidate = this.candidate(browser);
      const bound = candidate ?? newSecret();
      const moved = await this.store.move(session, { state: 'opened', browserHash: digestOf(bound) });
      if (moved !== null) {
        const cookie = candidate === null ? this.cookie(session.tokenHash, bound, session.expiresAt) : null;
        return { browser: bound, cookie };
      }
    }
    const now = await this.lifecycle.find(token);
    requireBrowser(now, browser);
    return { browser: browser ?? '', cookie: null };
  }

  /** Returns the secret that the browser sent, if no other site can have set it; else null. */
  private candidate(browser: string | null): string | null {
    return this.cookies.areOurs && browser !== null && BROWSER_SECRET.test(browser) ? browser : null;
  }

  private cookie(tokenHash: Buffer, value: string, expiresAt: Date): BrowserCookie {
    const seconds = Math.ceil((expiresAt.getTime() - this.clock.now().getTime()) / 1_000);
    return this.cookies.make(tokenHash, value, seconds);
  }
}

function newSecret(): string {
  return randomBytes(BROWSER_SECRET_BYTES).toString('base64url');
}
