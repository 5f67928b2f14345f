import drawQrCode from 'qr';
import { Html } from '#platform/html';
import type { OfferedExchange } from '../../begin/choose-exchange.js';
import { isChosenView, type ChosenView, type ConnectView, type OtherBrowserView } from '../../session/connect-view.js';
import { chooseView, watchOf } from './choose-view.js';
import type { PageContext } from './document.js';
import { noticeView, outcomeView } from './outcome-view.js';
import { pickView } from './pick-view.js';
import { connectingView, qrView, warningView } from './session-views.js';

export interface Page {
  status: number;
  html: Html;
}

interface PageFacts {
  now: Date;
  /** The full address of the session's page, to continue on a phone; null when this browser is on a phone. */
  phoneLink: string | null;
  /** The exchanges that the person may choose. */
  offers: readonly OfferedExchange[];
}

/** The page that shows a session in its current state. */
export function pageOf(context: PageContext, view: ConnectView, { now, phoneLink, offers }: PageFacts): Html {
  const { state, warning, qr } = view;
  if (state === 'connected' || state === 'failed') return outcomeView(context, view, now);
  if (!isChosenView(view)) return pickPage(context, view, offers, phoneLink);
  if (state === 'connecting') return connectingView(context, view);
  if (state === 'confirming' && warning !== null) return warningView(context, view, warning);
  if (state === 'scanning' && qr !== null) return qrView(context, view, qr, qrCode(qr.content));
  return methodsPage(context, view, phoneLink);
}

/** Whether a connect method may be chosen now. */
export function isChoosing({ state }: ConnectView): boolean {
  return state !== 'connected' && state !== 'failed' && state !== 'connecting';
}

/** The page on which a person chooses the connect method, in every state of the session. */
export function methodsPage(context: PageContext, view: ChosenView, phoneLink: string | null): Html {
  return chooseView(context, view, phoneCode(view, phoneLink));
}

/** The page on which a person chooses the exchange, in every state of a session that began without one. */
export function pickPage(
  context: PageContext,
  view: ConnectView,
  offers: readonly OfferedExchange[],
  phoneLink: string | null,
): Html {
  return pickView(context, view, offers, phoneCode(view, phoneLink));
}

/**
 * Draws the link for a phone, as long as no browser owns the session. After that, the link works in no other browser.
 */
function phoneCode({ browser }: ConnectView, phoneLink: string | null): Html | null {
  return browser === 'none' && phoneLink !== null ? qrCode(phoneLink) : null;
}

/** The page for browsers that do not own the session. It shows only the state of the session. */
export function otherBrowserPage(context: PageContext, view: OtherBrowserView): Page {
  // The person may have continued on a phone. This page therefore polls, and then shows how the session has ended.
  if (view.state === 'connected') return { status: 200, html: noticeView(context, 'otherConnected') };
  if (view.state === 'failed') return { status: 200, html: noticeView(context, 'otherFailed') };
  const facts = { code: 'OAUTH_INVALID_STATE' };
  return { status: 403, html: noticeView(context, 'other', facts, watchOf(context, view)) };
}

/** Draws the code dark on white in every colour scheme, because cameras need the contrast. */
function qrCode(content: string): Html {
  return new Html(drawQrCode(content, 'svg', { ecc: 'medium', border: 2 }));
}
