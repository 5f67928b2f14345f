import { html, type Html } from '#platform/html';
import { failureOf, isCancelled, isOwnDecision, messageOf, type ConnectView } from '../../session/connect-view.js';
import { documentOf, errorCode, signOf, type PageContext } from './document.js';
import { problemText } from './problem-view.js';
import type { Notice } from '../texts/texts.js';

/** Shows the end of a session. It reports the outcome to the page that opened it, or leads back to the application. */
export function outcomeView(context: PageContext, view: ConnectView, now: Date): Html {
  const { projectName, returnUrl, openerOrigin } = view;
  const { outcome, problems } = context.texts;
  const name = view.exchange?.name ?? problems.anyExchange;
  const isConnected = view.state === 'connected';
  const isExpired = !isConnected && view.expiresAt <= now;
  const back = returnUrl === null ? null : returnAddress(returnUrl, view);
  // A success redirects at once, so that the page does not disappear while a person reads it. So does the button that
  // cancels and goes back. A page in a popup, or after a failure, stays open with a link.
  const leaves = openerOrigin === null && (isConnected || isCancelled(view.error));
  return documentOf(context, {
    heading: isConnected ? outcome.connectedHeading(name) : failedHeading(context, isExpired),
    parties: view,
    ...(leaves && back !== null ? { refresh: { seconds: 0, url: back, noScriptOnly: false } } : {}),
    data: messageData(view),
    above: signOf(isConnected ? 'good' : isOwnDecision(view.error) ? 'wait' : 'bad'),
    content: html`${isConnected ? html`<p>${outcome.connectedLead(projectName)}</p>` : failure(context, view, isExpired)}
    ${back === null ? closing(context) : returning(context, { projectName, back, leaves })} ${codeOf(context, view)}`,
  });
}

/** Shows the code for support, after a failure that is not the person's own decision. */
function codeOf(context: PageContext, { state, error }: ConnectView): Html {
  return state === 'connected' || error === null || isOwnDecision(error) ? html`` : errorCode(context, error.type);
}

/** Data for the script, which sends the outcome to the page that opened this one. */
function messageData(view: ConnectView): Html {
  if (view.openerOrigin === null) return html``;
  return html`data-origin="${view.openerOrigin}" data-message="${JSON.stringify(openerMessage(view))}"`;
}

const failedHeading = ({ texts: { outcome } }: PageContext, isExpired: boolean): string =>
  isExpired ? outcome.expiredHeading : outcome.failedHeading;

function failure(context: PageContext, view: ConnectView, isExpired: boolean): Html {
  const { outcome } = context.texts;
  const { error, projectName } = view;
  const reason = isExpired || error === null ? outcome.expiredLead : problemText(context, view, error);
  return html`<p>${reason}</p>
    <p>${outcome.failedLead(projectName)}</p>`;
}

function returning(
  { texts: { outcome } }: PageContext,
  { projectName, back, leaves }: { projectName: string; back: string; leaves: boolean },
): Html {
  return html`${leaves ? html`<p>${outcome.returning(projectName)}</p>` : ''}
    <div class="actions"><a class="button primary" href="${back}">${outcome.back(projectName)}</a></div>`;
}

function closing({ texts: { outcome } }: PageContext): Html {
  return html`<p>${outcome.closing}</p>
    <button type="button" class="after" hidden data-close>${outcome.close}</button>`;
}

/**
 * Returns the message to the page that opened this one as a popup. Its `body` is the message that listeners of the
 * session receive, too.
 */
export function openerMessage({ idem, method, externalWalletId, exchange, state, error }: ConnectView): object {
  const facts = { method, externalWalletId, exchange: exchange?.id ?? null };
  const isConnected = state === 'connected';
  const progress = isConnected || error === null ? { success: isConnected } : failureOf(error);
  return { source: 'causeway', idem, body: messageOf(facts, progress) };
}

/** Returns the registered return address with the outcome as parameters. The address may have parameters of its own. */
export function returnAddress(
  returnUrl: string,
  { idem, externalWalletId, exchange, state, error }: ConnectView,
): string {
  const url = new URL(returnUrl);
  const success = state === 'connected';
  url.searchParams.set('idem', idem);
  url.searchParams.set('success', String(success));
  url.searchParams.set('walletId', externalWalletId);
  if (exchange !== null) url.searchParams.set('exchange', exchange.id);
  if (!success && error !== null) url.searchParams.set('error', error.type);
  return url.href;
}

interface NoticeFacts {
  /** The error code, shown small for support. */
  code?: string;
  /** The id with which operators find the log line. */
  requestId?: string;
  /** Address of the session's page, for a button that opens it again; absent = the notice has no such button. */
  home?: string;
}

const signs: Readonly<Partial<Record<Notice, 'good' | 'bad' | 'wait'>>> = { otherConnected: 'good', fault: 'bad' };

/** A page about the link or the request itself. It shows no data of the session. */
export function noticeView(
  places: Pick<PageContext, 'assets' | 'texts'>,
  kind: Notice,
  facts: NoticeFacts = {},
  data?: Html,
): Html {
  const context = { home: '', ...places };
  const { notices } = context.texts;
  const { heading, lead, next } = notices[kind];
  const { code, requestId, home } = facts;
  return documentOf(context, {
    heading,
    ...(data === undefined ? {} : { data }),
    above: signOf(signs[kind] ?? 'wait'),
    content: html`<p>${lead}</p>
      <p>${next}</p>
      ${
        home === undefined
          ? ''
          : html`<div class="actions"><a class="button" href="${home}">${notices.reopen}</a></div>`
      }
      ${code === undefined ? '' : errorCode(context, requestId === undefined ? code : `${code} ${requestId}`)}`,
  });
}
