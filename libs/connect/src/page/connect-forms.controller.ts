import { Body, Controller, Post, Res, UseFilters, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '#access';
import { TakesForm } from '#platform/http';
import { ChooseExchange } from '../begin/choose-exchange.js';
import { BeginOAuth } from '../methods/begin-oauth.js';
import { BeginQr } from '../methods/begin-qr.js';
import { malformedFields } from '../methods/key-form-rules.js';
import { ConfirmKey, DiscardKey, SubmitKey } from '../methods/pasted-key.js';
import { isChosenView } from '../session/connect-view.js';
import { CancelSession } from '../session/cancel-session.js';
import { isChoosing } from './views/choose-page.js';
import { readKeyForm } from './views/key-form.js';
import { keyView } from './views/key-view.js';
import { PageErrorFilter } from './page-error.filter.js';
import { pageLimit } from './page-limits.js';
import { PageSessions } from './page-sessions.js';
import { Visit, type PageVisit } from './page-visit.decorator.js';
import { SameOriginGuard } from './same-origin.guard.js';
import { leavingView } from './views/session-views.js';
import { settled } from './settled.js';

/**
 * The forms of a session's page. Most forms end in a redirect, so that "back" and "reload" are harmless. The form for
 * OAuth ends in a page that leads to the exchange. A key that the person can still correct leads to the form again,
 * with the typed values except secrets.
 */
@ApiExcludeController()
@Controller('connect/:token')
@UseFilters(PageErrorFilter)
@UseGuards(SameOriginGuard)
export class ConnectFormsController {
  constructor(
    private readonly pages: PageSessions,
    private readonly chooseExchange: ChooseExchange,
    private readonly beginOAuth: BeginOAuth,
    private readonly submitKey: SubmitKey,
    private readonly confirmKey: ConfirmKey,
    private readonly discardKey: DiscardKey,
    private readonly beginQr: BeginQr,
    private readonly cancelSession: CancelSession,
  ) {}

  @Post('exchange')
  @TakesForm()
  @Public(pageLimit)
  async exchange(@Visit() visit: PageVisit, @Body() body: unknown, @Res() reply: FastifyReply) {
    const browser = await this.pages.enter(visit, reply);
    const { exchange } = (body ?? {}) as { exchange?: unknown };
    if (typeof exchange !== 'string') return this.pages.redirect(reply, visit, '/exchange');
    // When the exchange cannot be connected, the page shows the list again, without that exchange.
    await settled(this.chooseExchange.execute(visit.token, browser, exchange));
    this.pages.redirect(reply, visit);
  }

  @Post('oauth')
  @Public(pageLimit)
  async oauth(@Visit() visit: PageVisit, @Res() reply: FastifyReply) {
    const browser = await this.pages.enter(visit, reply);
    const begun = await settled(this.beginOAuth.execute(visit.token, browser));
    if (begun === null) return this.pages.redirect(reply, visit);
    const view = await this.pages.viewFor(visit, browser);
    if (!isChosenView(view)) return this.pages.redirect(reply, visit);
    this.pages.sendHtml(reply, view, leavingView(this.pages.contextOf(visit), view, begun.url));
  }

  @Post('key')
  @TakesForm()
  @Public(pageLimit)
  async key(@Visit() visit: PageVisit, @Body() body: unknown, @Res() reply: FastifyReply) {
    const browser = await this.pages.enter(visit, reply);
    const context = this.pages.contextOf(visit);
    const before = await this.pages.viewFor(visit, browser);
    if (!isChosenView(before)) return this.pages.redirect(reply, visit);
    const { key, missing, typed } = readKeyForm(body, before.exchange);
    // Missing and malformed fields do not count as an attempt, because they are found without asking the exchange.
    const malformed = malformedFields(before.exchange.keyGuide, key);
    if (missing.length + malformed.length > 0 && isChoosing(before)) {
      return this.pages.sendHtml(reply, before, keyView(context, before, { missing, malformed, typed }), 400);
    }
    await settled(this.submitKey.execute(visit.token, { browser, address: visit.address }, key));
    const after = await this.pages.viewFor(visit, browser);
    if (after.state !== 'opened' || !isChosenView(after)) return this.pages.redirect(reply, visit);
    this.pages.sendHtml(reply, after, keyView(context, after, { missing: [], malformed: [], typed }), 400);
  }

  @Post('key/confirm')
  @Public(pageLimit)
  async confirm(@Visit() visit: PageVisit, @Res() reply: FastifyReply) {
    const browser = await this.pages.enter(visit, reply);
    await settled(this.confirmKey.execute(visit.token, { browser, address: visit.address }));
    this.pages.redirect(reply, visit);
  }

  @Post('key/discard')
  @Public(pageLimit)
  async discard(@Visit() visit: PageVisit, @Res() reply: FastifyReply) {
    await settled(this.discardKey.execute(visit.token, await this.pages.enter(visit, reply)));
    this.pages.redirect(reply, visit, '/key');
  }

  @Post('qr')
  @Public(pageLimit)
  async qr(@Visit() visit: PageVisit, @Res() reply: FastifyReply) {
    await settled(this.beginQr.execute(visit.token, await this.pages.enter(visit, reply)));
    this.pages.redirect(reply, visit);
  }

  @Post('cancel')
  @Public(pageLimit)
  async cancel(@Visit() visit: PageVisit, @Res() reply: FastifyReply) {
    await settled(this.cancelSession.execute(visit.token, await this.pages.enter(visit, reply)));
    this.pages.redirect(reply, visit);
  }
}
