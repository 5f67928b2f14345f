import drawQrCode from 'qr';
import { Html } from '#platform/html';
import type { ConnectView } from '../session/connect-view.js';
import { chooseView, watchOf } from './choose-view.js';
import type { PageAddresses } from './document.js';
import { noticeView, outcomeView } from './outcome-view.js';
import { connectingView, qrView, warningView } from './session-views.js';

export interface Page {
  status: number;
  html: Html;
}

/** The page that shows a session in its current state. */
export function pageOf(places: PageAddresses, view: ConnectView, facts: PageFacts): Page {
  if (view.browser === 'other') return otherBrowser(places, view);
  return { status: 200, html: viewOf(places, view, facts) };
}

interface PageFacts {
  now: Date;
  /** The full address of the session's page. */
  link: string;
}

function viewOf(places: PageAddresses, view: ConnectView, { now, link }: PageFacts): Html {
  const { state, warning, qr } = view;
  if (state === 'connected' || state === 'failed') return outcomeView(places, view, now);
  if (state === 'connecting') return connectingView(places, view);
  if (state === 'confirming' && warning !== null) return warningView(places, view, warning);
  if (state === 'scanning' && qr !== null) return qrView(places, view, qr, qrCode(qr.content));
  return waysPage(places, view, link);
}

/** Whether this browser may choose a connect method now. */
export function isChoosing({ state, browser }: ConnectView): boolean {
  return browser !== 'other' && state !== 'connected' && state !== 'failed' && state !== 'connecting';
}

/** The page on which a person chooses the connect method, in every state of the session. */
export function waysPage(places: PageAddresses, view: ConnectView, link: string): Html {
  // After a browser has opened the session, the link works in no other browser.
  return chooseView(places, view, view.browser === 'none' ? qrCode(link) : null);
}

function otherBrowser(places: PageAddresses, view: ConnectView): Page {
  // The page waits for the end, because the person may have continued on a phone.
  if (view.state === 'connected') return { status: 200, html: noticeView(places, 'otherConnected') };
  if (view.state === 'failed') return { status: 200, html: noticeView(places, 'otherFailed') };
  const facts = { code: 'OAUTH_INVALID_STATE' };
  return { status: 403, html: noticeView(places, 'other', facts, watchOf(places, view)) };
}

/** Dark on white in every colour scheme, because cameras need the contrast. */
function qrCode(content: string): Html {
  return new Html(drawQrCode(content, 'svg', { ecc: 'medium', border: 2 }));
}
