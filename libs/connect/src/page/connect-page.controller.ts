import { Controller, Get, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '#access';
import { BeginQr } from '../methods/begin-qr.js';
import { ReadQr, type QrPoll } from '../methods/read-qr.js';
import { isChosenView, type SessionView } from '../session/connect-view.js';
import { QrCodeUnavailable } from '../session/connect.errors.js';
import { isChoosing, methodsPage } from './views/choose-page.js';
import { FetchedLink } from './fetched-link.js';
import { keyView } from './views/key-view.js';
import { PageErrorFilter } from './page-error.filter.js';
import { pageLimit, pollLimit } from './page-limits.js';
import { PageSessions } from './page-sessions.js';
import { Visit, type PageVisit } from './page-visit.decorator.js';
import { settled } from './settled.js';

/** The pages of a session. */
@ApiExcludeController()
@Controller('connect/:token')
@UseFilters(PageErrorFilter)
export class ConnectPageController {
  constructor(
    private readonly pages: PageSessions,
    private readonly beginQr: BeginQr,
    private readonly readQr: ReadQr,
    private readonly fetchedLink: FetchedLink,
  ) {}

  @Get()
  @Public(pageLimit)
  async show(@Visit() visit: PageVisit, @Req() { method, headers }: FastifyRequest, @Res() reply: FastifyReply) {
    if (method === 'GET') {
      // A browser sends `Origin` when a script of another site fetches the link, but not when a person opens the link.
      if (headers.origin !== undefined) return await this.fetchedLink.answer(visit.token, headers.origin, reply);
      await settled(this.beginQr.onVisit(visit.token, { again: false })).catch(ignoreUnavailable);
    }
    let view = await this.pages.view(visit);
    if (isScanning(view)) {
      await this.readQr.execute(visit.token, this.pages.browserOf(visit));
      view = await this.pages.view(visit);
    }
    this.pages.offerCookie(reply, visit, view);
    await this.pages.send(reply, visit, view);
  }

  /** Shows the choice of a connect method, also while another method is in progress. */
  @Get('methods')
  @Public(pageLimit)
  async methods(@Visit() visit: PageVisit, @Res() reply: FastifyReply) {
    const view = await this.pages.view(visit);
    if (view.browser === 'other' || !isChoosing(view) || !isChosenView(view))
      return await this.pages.send(reply, visit, view);
    this.pages.offerCookie(reply, visit, view);
    const html = methodsPage(this.pages.contextOf(visit), view, this.pages.phoneLinkOf(visit));
    this.pages.sendHtml(reply, view, html);
  }

  /** Shows the list of exchanges, also while a connect method is in progress. */
  @Get('exchange')
  @Public(pageLimit)
  async exchanges(@Visit() visit: PageVisit, @Res() reply: FastifyReply) {
    const view = await this.pages.view(visit);
    if (view.browser === 'other' || !isChoosing(view) || !view.picksExchange)
      return await this.pages.send(reply, visit, view);
    this.pages.offerCookie(reply, visit, view);
    await this.pages.sendPick(reply, visit, view);
  }

  @Get('key')
  @Public(pageLimit)
  async keyForm(@Visit() visit: PageVisit, @Res() reply: FastifyReply) {
    const view = await this.pages.view(visit);
    this.pages.offerCookie(reply, visit, view);
    if (view.browser === 'other' || !isChoosing(view) || !isChosenView(view) || !view.methods.includes('key')) {
      return await this.pages.send(reply, visit, view);
    }
    this.pages.sendHtml(reply, view, keyView(this.pages.contextOf(visit), view));
  }

  /** Returns the state by which the page's script decides whether to reload. */
  @Get('state')
  @Public(pollLimit)
  async state(
    @Visit() visit: PageVisit,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<QrPoll & Pick<SessionView, 'browser'>> {
    void reply.header('cache-control', 'no-store');
    const view = await this.pages.view(visit);
    const look = isScanning(view)
      ? await this.readQr.execute(visit.token, this.pages.browserOf(visit))
      : { state: view.state, qrStatus: null, qrCodeExpiresAt: null };
    return { ...look, browser: view.browser };
  }

  /** Redirects a person who has opened the address of a form directly to the page of the session. */
  @Get(':form')
  @Public(pageLimit)
  form(@Visit() visit: PageVisit, @Res() reply: FastifyReply): void {
    this.pages.redirect(reply, visit);
  }
}

const isScanning = ({ state, browser }: SessionView): boolean => state === 'scanning' && browser !== 'other';

/** Ignores that the exchange gives no QR code, because the page itself shows this. */
function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof QrCodeUnavailable)) throw error;
}
