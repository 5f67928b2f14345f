import { Injectable } from '@nestjs/common';
import type { ProjectIdentity } from '#access';
import { Authorizations, Exchanges, type ConnectMethod } from '#exchange';
import { Config } from '#platform/config';
import { NotFound } from '#platform/errors';
import { ConnectProjects } from '../projects/connect-projects.service.js';
import type { ConnectView, SessionView, ShownExchange } from './connect-view.js';
import type { ShownQrCode, WaitingKey } from './sealed-attempt.js';
import { isBrowserOf, SessionLifecycle } from './session-lifecycle.js';
import { SessionStore, type ConnectSession } from './session-store.js';

/** Reads sessions for the hosted page. */
@Injectable()
export class ConnectSessions {
  constructor(
    private readonly lifecycle: SessionLifecycle,
    private readonly store: SessionStore,
    private readonly exchanges: Exchanges,
    private readonly authorizations: Authorizations,
    private readonly connectProjects: ConnectProjects,
    private readonly config: Config,
  ) {}

  /**
   * Returns the content of the page for this browser. Ends the session if it has expired, and changes nothing else.
   * @throws NotFound
   */
  async view(token: string, browser: string | null): Promise<SessionView> {
    const session = await this.lifecycle.find(token);
    const isIts = isBrowserOf(session, browser);
    if (!isIts && session.browserHash !== null) return { browser: 'other', state: session.state };
    return await this.fullView(session, isIts ? 'this' : 'none');
  }

  /** Returns the content of the page for the browser that owns the session. @throws NotFound, InvalidState */
  async ownView(token: string, browser: string): Promise<ConnectView> {
    return await this.fullView(await this.lifecycle.enter(token, browser), 'this');
  }

  /** Returns the project of a session. @throws NotFound */
  async projectOf(token: string): Promise<Pick<ProjectIdentity, 'id'>> {
    return (await this.lifecycle.find(token)).project;
  }

  private async fullView(session: ConnectSession, browser: ConnectView['browser']): Promise<ConnectView> {
    const { project, externalWalletId, idem, method, access, state, expiresAt, error, openerOrigin, returnUrl } =
      session;
    const { EGRESS_IPS: egressIps } = this.config.values;
    const { CONNECT_ATTEMPTS_MAX: attemptsMax } = this.config.constants;
    const { displayName, color, logoUrl } = await this.connectProjects.get(project);
    return {
      exchange: this.shownExchange(session),
      picksExchange: session.picksExchange,
      theme: { color, logoUrl },
      projectName: displayName ?? project.name,
      mode: project.mode,
      externalWalletId,
      idem,
      methods: preferredFirst(method, this.methodsOf(session)),
      method,
      access,
      state,
      browser,
      expiresAt,
      error,
      // A QR login may begin before a browser owns the session. Until then, every browser with the link sees the code.
      ...(await this.attemptOf(session)),
      egressIps,
      openerOrigin,
      returnUrl,
      attemptsLeft: Math.max(0, attemptsMax - session.attempts),
    };
  }

  private shownExchange({ exchange }: ConnectSession): ShownExchange | null {
    if (exchange === null) return null;
    const spec = this.exchanges.find(exchange);
    if (spec === null) throw new NotFound('Connect session');
    const { id, name, docsUrl, keyUrl, keyGuide, credentialFields, regions = [] } = spec;
    return { id, name, docsUrl, keyUrl, keyGuide, credentialFields, regions };
  }

  private methodsOf({ exchange, project }: ConnectSession): ConnectMethod[] {
    return exchange === null ? [] : this.authorizations.connectMethods({ exchange, mode: project.mode });
  }

  private async attemptOf(session: ConnectSession): Promise<Pick<ConnectView, 'warning' | 'qr'>> {
    if (session.state === 'confirming') {
      const { warning } = await this.store.unseal<WaitingKey>(session);
      return { warning, qr: null };
    }
    if (session.state !== 'scanning') return { warning: null, qr: null };
    const { content, expiresAt } = await this.store.unseal<ShownQrCode>(session);
    return { warning: null, qr: { content, status: session.qrStatus ?? 'waiting', expiresAt: new Date(expiresAt) } };
  }
}

/** Sorts the connect methods: the preferred one first, the others in their order. */
export function preferredFirst(wanted: ConnectMethod | null, methods: readonly ConnectMethod[]): ConnectMethod[] {
  return [...methods.filter((method) => method === wanted), ...methods.filter((method) => method !== wanted)];
}
