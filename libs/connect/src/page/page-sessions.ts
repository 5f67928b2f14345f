import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Clock } from '#platform/clock';
import type { Html } from '#platform/html';
import { ChooseExchange } from '../begin/choose-exchange.js';
import { BrowserCookies } from '../session/browser-cookies.js';
import { ConnectSessions } from '../session/connect-sessions.service.js';
import type { ConnectView, SessionView } from '../session/connect-view.js';
import { OpenSession } from '../session/open-session.js';
import { isChoosing, otherBrowserPage, pageOf, pickPage } from './views/choose-page.js';
import type { PageContext } from './views/document.js';
import { PageUrls } from './page-urls.js';
import type { PageVisit } from './page-visit.decorator.js';
import { policyWith, seeOther, sendPage } from './send-page.js';

/** The steps that all routes of the page share: the session of a visit, the browser's cookie, and the response. */
@Injectable()
export class PageSessions {
  constructor(
    private readonly sessions: ConnectSessions,
    private readonly chooseExchange: ChooseExchange,
    private readonly openSession: OpenSession,
    private readonly cookies: BrowserCookies,
    private readonly places: PageUrls,
    private readonly clock: Clock,
  ) {}

  /** Returns the secret of the browser from its cookie. */
  browserOf({ token, cookie }: PageVisit): string | null {
    return this.cookies.read(token, cookie);
  }

  /** Returns the content of the page for the browser of a visit. @throws NotFound */
  view(visit: PageVisit): Promise<SessionView> {
    return this.sessions.view(visit.token, this.browserOf(visit));
  }

  /**
   * Returns the content of the page after a form has bound the session to this browser.
   * @throws NotFound, InvalidState
   */
  viewFor({ token }: PageVisit, browser: string): Promise<ConnectView> {
    return this.sessions.ownView(token, browser);
  }

  /** Binds the session to this browser, unless another browser has it. @throws the errors of `OpenSession.execute` */
  async enter(visit: PageVisit, reply: FastifyReply): Promise<string> {
    const { browser, cookie } = await this.openSession.execute(visit.token, this.browserOf(visit));
    if (cookie !== null) void reply.header('set-cookie', this.cookies.serialize(cookie));
    return browser;
  }

  /** Sets the cookie of a browser that views a session which belongs to no browser yet. */
  offerCookie(reply: FastifyReply, visit: PageVisit, view: SessionView): void {
    if (view.browser !== 'none' || !isChoosing(view)) return;
    const cookie = this.openSession.offer(visit.token, this.browserOf(visit), view.expiresAt);
    if (cookie !== null) void reply.header('set-cookie', this.cookies.serialize(cookie));
  }

  contextOf({ token, texts }: PageVisit): PageContext {
    return { ...this.places.of(token), texts };
  }

  /** Returns the full address of the page, to continue on a phone; null when this browser is on a phone. */
  phoneLinkOf({ token, isPhone }: PageVisit): string | null {
    return isPhone ? null : this.places.linkOf(token);
  }

  /** Sends the page that shows the session in its current state. */
  async send(reply: FastifyReply, visit: PageVisit, view: SessionView): Promise<void> {
    if (view.browser === 'other') return sendPage(reply, otherBrowserPage(this.contextOf(visit), view));
    const offers = view.exchange === null ? await this.chooseExchange.list(visit.token) : [];
    const facts = { now: this.clock.now(), phoneLink: this.phoneLinkOf(visit), offers };
    this.sendHtml(reply, view, pageOf(this.contextOf(visit), view, facts));
  }

  /** Sends the list of exchanges. */
  async sendPick(reply: FastifyReply, visit: PageVisit, view: ConnectView): Promise<void> {
    const offers = await this.chooseExchange.list(visit.token);
    this.sendHtml(reply, view, pickPage(this.contextOf(visit), view, offers, this.phoneLinkOf(visit)));
  }

  sendHtml(reply: FastifyReply, { theme }: ConnectView, html: Html, status = 200): void {
    sendPage(reply, { status, html }, { 'content-security-policy': policyWith(theme.logoUrl) });
  }

  /** Redirects to the page of the session. @param below path after the address of that page, such as `/key` */
  redirect(reply: FastifyReply, { token }: PageVisit, below = ''): void {
    seeOther(reply, `${this.places.of(token).home}${below}`);
  }
}
