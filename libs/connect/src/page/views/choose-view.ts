import type { ConnectMethod } from '#exchange';
import { html, type Html } from '#platform/html';
import type { ChosenView, SessionView } from '../../session/connect-view.js';
import { cancelOf, documentOf, type PageContext } from './document.js';
import { problemNotice } from './problem-view.js';

/** Names the application, the exchange and the requested access, and offers the connect methods. */
export function chooseView(context: PageContext, view: ChosenView, phoneCode: Html | null): Html {
  const { exchange, projectName, methods } = view;
  const { choose } = context.texts;
  return documentOf(context, {
    heading: choose.heading(exchange.name),
    parties: view,
    above: noticeOf(context, view),
    data: watchOf(context, view),
    content: html`<p class="lead">${choose.lead(projectName, exchange.name)}</p>
      ${accessOf(context, view)}
      <h2>${choose.methodsHeading}</h2>
      ${methods.length === 0 ? html`<p>${choose.unavailable(exchange.name)}</p>` : ''}
      <div class="methods">${methods.map((method, index) => methodOf(context, view, method, index === 0))}</div>
      ${view.picksExchange ? html`<p class="center"><a href="${context.home}/exchange">${choose.another}</a></p>` : ''}
      ${promisesOf(context, view)} ${phoneCode === null ? '' : phoneOf(context, phoneCode)}`,
    below: cancelOf(context, view),
  });
}

/** Data for the script, which polls whether the session changed elsewhere. */
export function watchOf({ home }: PageContext, { state, browser }: SessionView): Html {
  return html`data-watch="${home}/state" data-home="${home}" data-state="${state}" data-browser="${browser}"`;
}

function noticeOf(context: PageContext, view: ChosenView): Html {
  const { choose } = context.texts;
  if (view.error !== null) return problemNotice(context, view);
  if (view.state !== 'authorizing') return html``;
  return html`<div class="notice wait"><p>${choose.authorizing(view.exchange.name)}</p></div>`;
}

function accessOf({ texts: { access } }: PageContext, { projectName, access: asked }: ChosenView): Html {
  const items = asked.map(
    (kind) =>
      html`<li>
        ${access.kinds[kind]} ${kind === 'withdrawal' ? html`<span class="badge">${access.withdrawalBadge}</span>` : ''}
      </li>`,
  );
  return html`<h2>${access.heading(projectName)}</h2>
    <ul class="plain">
      ${items}
    </ul>`;
}

function methodOf(
  { home, texts: { choose } }: PageContext,
  { exchange: { name } }: ChosenView,
  method: ConnectMethod,
  isFirst: boolean,
): Html {
  const emphasis = isFirst ? 'primary' : '';
  const hint = { oauth: choose.oauthHint(name), qr: choose.qrHint, key: choose.keyHint(name) }[method];
  const hintLine = html`<p class="hint" id="${method}-hint">${hint}</p>`;
  if (method === 'key') {
    return html`<div>
      <a class="button ${emphasis}" href="${home}/key" aria-describedby="key-hint">${choose.key}</a>${hintLine}
    </div>`;
  }
  const label = method === 'oauth' ? choose.oauth(name) : choose.qr(name);
  return html`<form method="post" action="${home}/${method}">
    <button class="${emphasis}" aria-describedby="${method}-hint">${label}</button>${hintLine}
  </form>`;
}

function promisesOf(
  { texts: { promises } }: PageContext,
  { projectName, exchange: { name }, access: asked, methods }: ChosenView,
): Html {
  return html`<h2>${promises.heading}</h2>
    <ul class="plain quiet">
      <li>${promises.password(projectName, name)}</li>
      <li>${withdrawalPromise()}</li>
      <li>${promises.revoke(projectName, name)}</li>
    </ul>`;

  function withdrawalPromise(): string {
    if (asked.includes('withdrawal')) return promises.withdraws(projectName, name);
    // The page cannot promise that a pasted key may not withdraw, because its owner decides what it may do.
    return methods.includes('key')
      ? promises.withdrawsNothingByKey(projectName)
      : promises.withdrawsNothing(projectName);
  }
}

export function phoneOf({ texts: { phone } }: PageContext, code: Html): Html {
  return html`<details>
    <summary>${phone.summary}</summary>
    <p class="hint">${phone.hint}</p>
    <div class="code-image" role="img" aria-label="${phone.image}">${code}</div>
  </details>`;
}
