import type { ConnectMethod } from '#exchange';
import { html, type Html } from '#platform/html';
import type { ConnectView } from '../session/connect-view.js';
import { cancelOf, documentOf, type PageAddresses } from './document.js';
import { problemNotice } from './problem-view.js';
import { access, choose, phone, promises } from './texts.js';

/** Names both parties and the requested access, and offers the connect methods. */
export function chooseView(places: PageAddresses, view: ConnectView, phoneCode: Html | null): Html {
  const { exchange, projectName, methods } = view;
  return documentOf(places, {
    heading: choose.heading(exchange.name),
    parties: view,
    above: noticeOf(view),
    data: watchOf(places, view),
    content: html`<p class="lead">${choose.lead(projectName, exchange.name)}</p>
      ${accessOf(view)}
      <h2>${choose.waysHeading}</h2>
      ${methods.length === 0 ? html`<p>${choose.unavailable(exchange.name)}</p>` : ''}
      <div class="ways">${methods.map((method, index) => methodOf(places, view, method, index === 0))}</div>
      ${promisesOf(view)} ${phoneCode === null ? '' : phoneOf(phoneCode)}`,
    below: cancelOf(places, view),
  });
}

/** Data for the script, which polls whether the session changed elsewhere. */
export function watchOf({ home }: PageAddresses, { state, browser }: ConnectView): Html {
  return html`data-watch="${home}/state" data-home="${home}" data-state="${state}" data-browser="${browser}"`;
}

function noticeOf(view: ConnectView): Html {
  if (view.error !== null) return problemNotice(view);
  if (view.state !== 'authorizing') return html``;
  return html`<div class="notice wait"><p>${choose.authorizing(view.exchange.name)}</p></div>`;
}

function accessOf({ projectName, access: asked }: ConnectView): Html {
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
  places: PageAddresses,
  { exchange: { name } }: ConnectView,
  method: ConnectMethod,
  isFirst: boolean,
): Html {
  const emphasis = isFirst ? 'primary' : '';
  const hint = { oauth: choose.oauthHint(name), qr: choose.qrHint, key: choose.keyHint(name) }[method];
  const hintLine = html`<p class="hint" id="${method}-hint">${hint}</p>`;
  if (method === 'key') {
    return html`<div>
      <a class="button ${emphasis}" href="${places.home}/key" aria-describedby="key-hint">${choose.key}</a>${hintLine}
    </div>`;
  }
  const label = method === 'oauth' ? choose.oauth(name) : choose.qr(name);
  return html`<form method="post" action="${places.home}/${method}">
    <button class="${emphasis}" aria-describedby="${method}-hint">${label}</button>${hintLine}
  </form>`;
}

function promisesOf({ projectName, exchange: { name }, access: asked, methods }: ConnectView): Html {
  return html`<h2>${promises.heading}</h2>
    <ul class="plain quiet">
      <li>${promises.password(projectName, name)}</li>
      <li>${withdrawalPromise()}</li>
      <li>${promises.revoke(projectName, name)}</li>
    </ul>`;

  function withdrawalPromise(): string {
    if (asked.includes('withdrawal')) return promises.withdraws(projectName, name);
    // Only the owner of a pasted key decides what the key may do.
    return methods.includes('key')
      ? promises.withdrawsNothingByKey(projectName)
      : promises.withdrawsNothing(projectName);
  }
}

function phoneOf(code: Html): Html {
  return html`<details>
    <summary>${phone.summary}</summary>
    <p class="hint">${phone.hint}</p>
    <div class="code-image" role="img" aria-label="${phone.image}">${code}</div>
  </details>`;
}
