import { Body, Controller, Get, Headers, Param, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '#access';
import { Clock } from '#platform/clock';
import { DomainError, NotFound } from '#platform/errors';
import { TakesForm } from '#platform/http';
import { BeginOAuth } from '../methods/begin-oauth.js';
import { BrowserCookies } from '../session/browser-cookies.js';
import { CancelSession } from '../session/cancel-session.js';
import { ConnectSessions } from '../session/connect-sessions.service.js';
import type { ConnectView } from '../session/connect-view.js';
import { InvalidState, QrCodeUnavailable } from '../session/connect.errors.js';
import { malformedFields } from '../methods/key-form-rules.js';
import { OpenSession } from '../session/open-session.js';
import { ConfirmKey, DiscardKey, SubmitKey } from '../methods/pasted-key.js';
import { BeginQr } from '../methods/begin-qr.js';
import { ReadQr, type QrPoll } from '../methods/read-qr.js';
import { FetchedLink } from './fetched-link.js';
import { readKeyForm } from './key-form.js';
import { keyView } from './key-view.js';
import { PageErrorFilter } from './page-error.filter.js';
import { isChoosing, pageOf, waysPage } from './choose-page.js';
import { PageUrls } from './page-urls.js';
import { SameOriginGuard } from './same-origin.guard.js';
import { seeOther, sendPage } from './send-page.js';
import { leavingView } from './session-views.js';
import { pageLimit, pollLimit } from './page-limits.js';

/** The page of a session and its forms. Every form ends in a redirect, so that "back" and "reload" are harmless. */
@ApiExcludeController()
@Controller('connect/:token')
@UseFilters(PageErrorFilter)
export class ConnectPageController {
  constructor(
    private readonly sessions: ConnectSessions,
    private readonly openSession: OpenSession,
    private readonly beginOAuth: BeginOAuth,
    private readonly submitKey: SubmitKey,
    private readonly confirmKey: ConfirmKey,
    private readonly discardKey: DiscardKey,
    private readonly beginQr: BeginQr,
    private readonly readQr: ReadQr,
    private readonly fetchedLink: FetchedLink,
    private readonly cancelSession: CancelSession,
    private readonly cookies: BrowserCookies,
    private readonly places: PageUrls,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Public(pageLimit)
  async show(@Param('token') token: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { method, headers } = request;
    const { cookie, origin } = headers;
    if (method === 'GET') {
      // Browsers send no origin when a person opens the link.
      if (origin !== undefined) return await this.fetchedLink.answer(token, origin, reply);
      await settled(this.beginQr.onVisit(token, { again: false })).catch(ignoreUnavailable);
    }
    const browser = this.cookies.read(token, cookie);
    let view = await this.sessions.view(token, browser);
    if (isScanning(view)) {
      await this.readQr.execute(token, browser);
      view = await this.sessions.view(token, browser);
    }
    this.offerCookie(reply, token, browser, view);
    this.send(reply, token, view);
  }

  /** The choice of a connect method, also while another method is in progress. */
  @Get('ways')
  @Public(pageLimit)
  async methods(
    @Param('token') token: string,
    @Headers('cookie') cookie: string | undefined,
    @Res() reply: FastifyReply,
  ) {
    const browser = this.cookies.read(token, cookie);
    const view = await this.sessions.view(token, browser);
    if (!isChoosing(view)) return this.send(reply, token, view);
    this.offerCookie(reply, token, browser, view);
    const html = waysPage(this.places.of(token), view, this.places.linkOf(token));
    sendPage(reply, { status: 200, html });
  }

  @Get('key')
  @Public(pageLimit)
  async keyForm(
    @Param('token') token: string,
    @Headers('cookie') cookie: string | undefined,
    @Res() reply: FastifyReply,
  ) {
    const browser = this.cookies.read(token, cookie);
    const view = await this.sessions.view(token, browser);
    this.offerCookie(reply, token, browser, view);
    if (!isChoosing(view) || !view.methods.includes('key')) return this.send(reply, token, view);
    sendPage(reply, { status: 200, html: keyView(this.places.of(token), view) });
  }

  /** Returns the state by which the page's script decides whether to reload. */
  @Get('state')
  @Public(pollLimit)
  async state(
    @Param('token') token: string,
    @Headers('cookie') cookie: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<QrPoll & Pick<ConnectView, 'browser'>> {
    void reply.header('cache-control', 'no-store');
    const browser = this.cookies.read(token, cookie);
    const view = await this.sessions.view(token, browser);
    const look = isScanning(view)
      ? await this.readQr.execute(token, browser)
      : { state: view.state, qrStatus: null, qrCodeExpiresAt: null };
    return { ...look, browser: view.browser };
  }

  /** A person has opened the address of a form directly. */
  @Get(':form')
  @Public(pageLimit)
  form(@Param('token') token: string, @Res() reply: FastifyReply): void {
    seeOther(reply, this.places.of(token).home);
  }

  @Post('oauth')
  @Public(pageLimit)
  @UseGuards(SameOriginGuard)
  async oauth(
    @Param('token') token: string,
    @Headers('cookie') cookie: string | undefined,
    @Res() reply: FastifyReply,
  ) {
    const browser = await this.enter(token, cookie, reply);
    const begun = await settled(this.beginOAuth.execute(token, browser));
    const places = this.places.of(token);
    if (begun === null) return seeOther(reply, places.home);
    const view = await this.sessions.view(token, browser);
    sendPage(reply, { status: 200, html: leavingView(places, view, begun.url) });
  }

  @Post('key')
  @TakesForm()
  @Public(pageLimit)
  @UseGuards(SameOriginGuard)
  async key(
    @Param('token') token: string,
    @Headers('cookie') cookie: string | undefined,
    @Body() body: unknown,
    @Res() reply: FastifyReply,
  ) {
    const browser = await this.enter(token, cookie, reply);
    const places = this.places.of(token);
    const before = await this.sessions.view(token, browser);
    const { key, missing } = readKeyForm(body, before.exchange);
    // Missing and malformed fields are found without asking the exchange, so they do not count as an attempt.
    const malformed = malformedFields(before.exchange.keyGuide, key);
    if (missing.length + malformed.length > 0 && isChoosing(before)) {
      return sendPage(reply, { status: 400, html: keyView(places, before, { missing, malformed }) });
    }
    await settled(this.submitKey.execute(token, browser, key));
    const { state } = await this.sessions.view(token, browser);
    seeOther(reply, state === 'opened' ? `${places.home}/key` : places.home);
  }

  @Post('key/confirm')
  @Public(pageLimit)
  @UseGuards(SameOriginGuard)
  async confirm(
    @Param('token') token: string,
    @Headers('cookie') cookie: string | undefined,
    @Res() reply: FastifyReply,
  ) {
    await settled(this.confirmKey.execute(token, await this.enter(token, cookie, reply)));
    seeOther(reply, this.places.of(token).home);
  }

  @Post('key/discard')
  @Public(pageLimit)
  @UseGuards(SameOriginGuard)
  async discard(
    @Param('token') token: string,
    @Headers('cookie') cookie: string | undefined,
    @Res() reply: FastifyReply,
  ) {
    await settled(this.discardKey.execute(token, await this.enter(token, cookie, reply)));
    seeOther(reply, `${this.places.of(token).home}/key`);
  }

  @Post('qr')
  @Public(pageLimit)
  @UseGuards(SameOriginGuard)
  async qr(@Param('token') token: string, @Headers('cookie') cookie: string | undefined, @Res() reply: FastifyReply) {
    await settled(this.beginQr.execute(token, await this.enter(token, cookie, reply)));
    seeOther(reply, this.places.of(token).home);
  }

  @Post('cancel')
  @Public(pageLimit)
  @UseGuards(SameOriginGuard)
  async cancel(
    @Param('token') token: string,
    @Headers('cookie') cookie: string | undefined,
    @Res() reply: FastifyReply,
  ) {
    await settled(this.cancelSession.execute(token, await this.enter(token, cookie, reply)));
    seeOther(reply, this.places.of(token).home);
  }

  /** Binds the session to this browser, if no browser has it yet. */
  private async enter(token: string, header: string | undefined, reply: FastifyReply): Promise<string> {
    const { browser, cookie } = await this.openSession.execute(token, this.cookies.read(token, header));
    if (cookie !== null) void reply.header('set-cookie', this.cookies.serialize(cookie));
    return browser;
  }

  /** Sets the cookie of a browser that opens a session which no browser has yet. */
  private offerCookie(reply: FastifyReply, token: string, browser: string | null, view: ConnectView): void {
    if (view.browser !== 'none' || !isChoosing(view)) return;
    const cookie = this.openSession.offer(token, browser, view.expiresAt);
    if (cookie !== null) void reply.header('set-cookie', this.cookies.serialize(cookie));
  }

  private send(reply: FastifyReply, token: string, view: ConnectView): void {
    const facts = { now: this.clock.now(), link: this.places.linkOf(token) };
    sendPage(reply, pageOf(this.places.of(token), view, facts));
  }
}

const isScanning = ({ state, browser }: ConnectView): boolean => state === 'scanning' && browser !== 'other';

/** The page itself shows that the exchange gives no code. */
function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof QrCodeUnavailable)) throw error;
}

/**
 * Runs a step. Most domain errors return null, because the next page shows them: a failed attempt, or a session that
 * was moved meanwhile.
 * Errors about the right to be here are thrown. An unavailable QR code is thrown, too; for browsers `PageErrorFilter`
 * redirects to the page.
 */
async function settled<T>(step: Promise<T>): Promise<T | null> {
  try {
    return await step;
  } catch (error) {
    const isTold = [NotFound, InvalidState, QrCodeUnavailable].some((kind) => error instanceof kind);
    if (error instanceof DomainError && !isTold) return null;
    throw error;
  }
}
