import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { NotFound, RateLimitExceeded, resolveError, sendError, type DomainError } from '#platform/errors';
import { ForeignRequest, InvalidState, QrCodeUnavailable, SessionMoved } from '../session/connect.errors.js';
import { noticeView } from './views/outcome-view.js';
import { PageUrls } from './page-urls.js';
import { seeOther, sendPage } from './send-page.js';
import { textsFor, type Notice } from './texts/texts.js';

/** Renders errors of the hosted page: a page in plain words for browsers, the usual JSON for all other clients. */
@Catch()
export class PageErrorFilter implements ExceptionFilter {
  constructor(private readonly places: PageUrls) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const wantsPage = new Negotiator(request).mediaType(['application/json', 'text/html']) === 'text/html';
    if (!wantsPage) return sendError(error, request, reply);
    const { token } = request.params as { token?: string };
    // The form was submitted too late (`SessionMoved`), or the exchange gave no QR code. The browser is redirected to
    // the page of the session, which shows the current state.
    const isShown = error instanceof SessionMoved || error instanceof QrCodeUnavailable;
    if (isShown && token !== undefined) return seeOther(reply, this.places.of(token).home);
    const known = resolveError(error, request);
    const { kind, status, code } = explain(known, request);
    if (known.retryAfterSeconds !== undefined) void reply.header('retry-after', String(known.retryAfterSeconds));
    const home =
      token === undefined || kind === 'unknown' || kind === 'other' ? {} : { home: this.places.of(token).home };
    const requestId = status >= 500 ? { requestId: request.id } : {};
    const html = noticeView({ assets: this.places.assets, texts: textsFor(request) }, kind, {
      code,
      ...home,
      ...requestId,
    });
    // The address of a callback contains a code that must not be sent as a referrer. With `no-referrer`, browsers send
    // forms with `Origin: null` (see `sendPage`), which does not matter here: the error page has no forms.
    sendPage(reply, { status, html }, token === undefined ? { 'referrer-policy': 'no-referrer' } : {});
  }
}

interface Explanation {
  kind: Notice;
  status: number;
  code: string;
}

function explain(error: DomainError, request: FastifyRequest): Explanation {
  const { code, status } = error;
  // On a page of a session, InvalidState means that another browser owns the session. For a callback, it means that the
  // parameters from the exchange are wrong.
  const hasLink = (request.params as { token?: string }).token !== undefined;
  if (error instanceof ForeignRequest) return { kind: 'foreign', status: 403, code };
  if (error instanceof InvalidState)
    return hasLink ? { kind: 'other', status: 403, code } : { kind: 'invalidState', status, code };
  if (error instanceof NotFound) return { kind: 'unknown', status, code };
  if (error instanceof RateLimitExceeded) return { kind: 'tooMany', status, code };
  if (status === 503) return { kind: 'unavailable', status, code };
  return { kind: status < 500 ? 'refused' : 'fault', status, code };
}
