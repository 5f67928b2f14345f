import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ConnectMethod } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database } from '#platform/database';
import { NotFound } from '#platform/errors';
import { Topics } from '#platform/events';
import { ConnectTokens, digestOf } from './connect-tokens.js';
import { failureOf, messageOf, type ConnectProgress, type SessionState } from './connect-view.js';
import { AuthorizationFailed, InvalidState, SessionMoved, toSessionError } from './connect.errors.js';
import {
  hasEnded,
  isChosen,
  SessionStore,
  type ChosenSession,
  type ConnectSession,
  type Move,
} from './session-store.js';

/** After this time, a process that has begun to connect an account counts as dead. Connecting takes less time. */
export const CONNECT_LEASE_MS = 60_000;
const OPEN: readonly SessionState[] = ['opened', 'authorizing', 'scanning', 'confirming'];

interface FailOptions {
  /** Whether no further attempt may follow. */
  isFinal?: boolean;
  /**
   * Whether this failure leaves the number of attempts unchanged. Default: true for an attempt that was counted when it
   * began, else false.
   */
  isCounted?: boolean;
}

/** The rules of a session that all connect methods share: its browser, its expiry, and the end of its attempts. */
@Injectable()
export class SessionLifecycle {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly store: SessionStore,
    private readonly topics: Topics,
    private readonly tokens: ConnectTokens,
  ) {}

  /** Returns the session of a link in its current state. @throws NotFound */
  async find(token: string): Promise<ConnectSession> {
    const found = await this.store.find('token_hash', digestOf(token));
    // A row that was inserted with a chosen hash has another token than its id.
    if (found === null || this.tokens.tokenOf(found.id) !== token) throw new NotFound('Connect session');
    return await this.settle(found);
  }

  /** Returns the session to the browser that owns it. @throws NotFound, InvalidState */
  async enter(token: string, browser: string | null): Promise<ConnectSession> {
    const session = await this.find(token);
    requireBrowser(session, browser);
    return session;
  }

  /** Returns the session to its own browser, or to any browser while none owns it. @throws NotFound, InvalidState */
  async visit(token: string, browser: string | null): Promise<ConnectSession> {
    const session = await this.find(token);
    if (session.browserHash !== null) requireBrowser(session, browser);
    return session;
  }

  /**
   * Moves the session to another state.
   * @param progress fields of a message that is published in the same transaction
   * @throws SessionMoved when a concurrent request has moved the session
   */
  async step<Seen extends ConnectSession>(seen: Seen, to: Move, progress?: ConnectProgress): Promise<Seen> {
    return await this.db.transaction(async (tx) => {
      const moved = await this.store.move(seen, to, tx);
      if (moved === null) throw new SessionMoved();
      if (progress !== undefined) await this.publish(tx, moved, progress);
      return moved;
    });
  }

  /** Publishes a message on the topic of a session. */
  async publish(tx: EntityManager, session: ConnectSession, progress: ConnectProgress): Promise<void> {
    const { project, idem } = session;
    const body = messageOf(session, progress);
    await this.topics.publish(tx, { organizationId: project.organizationId, projectId: project.id, topic: idem, body });
  }

  /** Claims the session for connecting. Until the end of the lease it belongs to this process. @throws SessionMoved */
  async claim(seen: ChosenSession, method: ConnectMethod): Promise<ChosenSession> {
    const leaseUntil = new Date(this.clock.now().getTime() + CONNECT_LEASE_MS);
    const progress: ConnectProgress | undefined = method === 'qr' ? { qrCodeStatus: 'confirmed' } : undefined;
    return await this.step(seen, { state: 'connecting', method, leaseUntil }, progress);
  }

  /**
   * Ends the attempt and publishes the failure. Another attempt may follow unless this was the last one.
   * @returns null when a concurrent request has moved the session; nothing is published then
   */
  async fail(
    seen: ConnectSession,
    cause: unknown,
    { isFinal = false, isCounted = hasBeenCounted(seen) }: FailOptions = {},
  ): Promise<ConnectSession | null> {
    const error = toSessionError(cause);
    const attempts = seen.attempts + (isCounted ? 0 : 1);
    const isLast =
      isFinal || attempts >= this.config.constants.CONNECT_ATTEMPTS_MAX || seen.expiresAt <= this.clock.now();
    return await this.db.transaction(async (tx) => {
      const method = seen.method ?? undefined;
      const to: Move = { state: isLast ? 'failed' : idleState(seen), method, error, isAttempt: !isCounted };
      const moved = await this.store.move(seen, to, tx);
      if (moved !== null) await this.publish(tx, moved, failureOf(error));
      return moved;
    });
  }

  /** Whether one more attempt may begin. */
  hasAttemptsLeft({ attempts }: ConnectSession): boolean {
    return attempts < this.config.constants.CONNECT_ATTEMPTS_MAX;
  }

  /** Ends a session that has expired, and an attempt whose process has died. */
  async settle(seen: ConnectSession): Promise<ConnectSession> {
    const cause = this.overdue(seen);
    if (cause === null) return seen;
    // When a concurrent request has moved the session, its current state is read again.
    return (await this.fail(seen, cause)) ?? (await this.store.find('id', seen.id)) ?? seen;
  }

  private overdue(seen: ConnectSession): AuthorizationFailed | null {
    if (hasEnded(seen)) return null;
    const now = this.clock.now();
    if (seen.state === 'connecting') {
      const isAlive = seen.leaseUntil !== null && seen.leaseUntil > now;
      return isAlive ? null : new AuthorizationFailed('The attempt to connect the account was interrupted. Try again');
    }
    return seen.expiresAt > now
      ? null
      : new AuthorizationFailed('The attempt was not finished in time: ask for a new link');
  }
}

/**
 * Whether the attempt was counted when it began. Only a QR login is counted then, because each code uses resources of
 * the exchange.
 */
function hasBeenCounted({ state, method }: ConnectSession): boolean {
  return method === 'qr' && (state === 'scanning' || state === 'connecting');
}

/** Returns `opened`, or `created` while no browser owns the session. In both states a connect method can be chosen. */
export function idleState({ browserHash }: ConnectSession): 'created' | 'opened' {
  return browserHash === null ? 'created' : 'opened';
}

/** Requires a state in which an attempt may begin and replace the previous one. @throws SessionMoved */
export function requireOpen(session: ConnectSession): void {
  if (!OPEN.includes(session.state)) throw new SessionMoved();
}

/** Requires that the exchange is chosen, because an attempt needs it. @throws SessionMoved */
export function requireChosen(session: ConnectSession): asserts session is ChosenSession {
  requireOpen(session);
  if (!isChosen(session)) throw new SessionMoved();
}

export function isBrowserOf({ browserHash }: ConnectSession, browser: string | null): boolean {
  return browserHash !== null && browser !== null && timingSafeEqual(browserHash, digestOf(browser));
}

/** @throws InvalidState */
export function requireBrowser(session: ConnectSession, browser: string | null): void {
  if (!isBrowserOf(session, browser)) {
    throw new InvalidState('This link is in use in another browser. Go on there, or ask for a new link');
  }
}
