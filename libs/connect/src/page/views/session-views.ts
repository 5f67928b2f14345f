import { html, type Html } from '#platform/html';
import type { ChosenView, KeyWarning, QrStatus } from '../../session/connect-view.js';
import { watchOf } from './choose-view.js';
import { cancelOf, documentOf, formOf, signOf, timeLine, type PageContext } from './document.js';

/** Seconds after which the page reloads where no script runs. */
const REFRESH_SECONDS = 3;

/** Shows that the pasted key does not match the requested access, and lets the person decide. */
export function warningView(
  context: PageContext,
  view: ChosenView,
  { tooMuch, tooLittle, unknown, permissions, unsafeSettings }: KeyWarning,
): Html {
  const { projectName, exchange } = view;
  const { access, key, warning } = context.texts;
  const list = (kinds: KeyWarning['tooMuch']): Html =>
    html`<ul class="plain">
      ${kinds.map((kind) => html`<li>${access.short[kind]}</li>`)}
    </ul>`;
  const others = unknown.map((name) => html`<li>${warning.unknown} <code>${name}</code></li>`);
  const more = html`<p>${warning.tooMuch(projectName, exchange.name)}</p>
    <h2>${warning.tooMuchList}</h2>
    ${list(tooMuch)}
    <ul class="plain">
      ${others}
    </ul>
    ${tooMuch.includes('withdrawal') ? html`<p><strong>${warning.withdrawal(projectName)}</strong></p>` : ''}`;
  const less = html`<p>${warning.tooLittle(projectName)}</p>
    <h2>${warning.tooLittleList}</h2>
    ${list(tooLittle)}`;
  const settings = html`<p><strong>${warning.unsafe(exchange.name)}</strong></p>
    <ul class="plain">
      ${unsafeSettings.map((setting) => html`<li>${key.defaults[setting]}</li>`)}
    </ul>`;
  return documentOf(context, {
    heading: warning.heading,
    parties: view,
    above: signOf('wait'),
    content: html`${unsafeSettings.length > 0 ? settings : ''} ${tooMuch.length + unknown.length > 0 ? more : ''}
      ${tooLittle.length > 0 ? less : ''}
      <h2>${warning.permissions(exchange.name)}</h2>
      <ul class="chips">
        ${permissions.map((permission) => html`<li><code>${permission}</code></li>`)}
      </ul>
      <div class="actions">
        ${formOf(`${context.home}/key/discard`, html`<button class="primary">${warning.discard}</button>`)}
        ${formOf(`${context.home}/key/confirm`, html`<button>${warning.confirm}</button>`)}
      </div>`,
    below: cancelOf(context, view),
  });
}

interface ShownLogin {
  content: string;
  status: QrStatus;
  expiresAt: Date;
}

/** Shows the QR code of a login with the exchange's app. @param image the code as SVG */
export function qrView(context: PageContext, view: ChosenView, login: ShownLogin, image: Html): Html {
  const { name } = view.exchange;
  const { qr } = context.texts;
  const link = appLink(login.content);
  return documentOf(context, {
    heading: qr.heading(name),
    parties: view,
    refresh: { seconds: REFRESH_SECONDS, url: context.home, noScriptOnly: true },
    data: html`${watchOf(context, view)} data-code="${login.expiresAt.getTime()}"`,
    content: html`<p class="lead">${qr.lead(name)}</p>
      <div class="code-image" role="img" aria-label="${qr.image(name)}">${image}</div>
      <p
        class="status"
        id="status"
        role="status"
        data-waiting="${qr.status.waiting}"
        data-scanned="${qr.status.scanned}"
        data-expired="${qr.status.expired}"
      >
        ${qr.status[login.status]}
      </p>
      ${timeLine(qr.expires, login.expiresAt, 'center hint')}
      ${
        link === null
          ? ''
          : html`<p class="center"><a href="${link}" rel="noopener noreferrer">${qr.onThisDevice(name)}</a></p>`
      }
      <p class="center"><a href="${context.home}/methods">${qr.another}</a></p>`,
    below: cancelOf(context, view),
  });
}

/**
 * Returns the code as a link when the code is an address, because the page may be open on the phone that has the app.
 */
function appLink(content: string): string | null {
  if (!URL.canParse(content)) return null;
  return ['https:', 'http:'].includes(new URL(content).protocol) ? content : null;
}

/**
 * The page on the way to the exchange. It is needed because the content security policy forbids forms that lead to
 * another site.
 */
export function leavingView(context: PageContext, view: ChosenView, url: string): Html {
  const { name } = view.exchange;
  const { leaving } = context.texts;
  return documentOf(context, {
    heading: leaving.heading(name),
    parties: view,
    // Without a delay, the exchange's page replaces this page in the history, so that "back" leads to the choice of the
    // connect method.
    refresh: { seconds: 0, url, noScriptOnly: false },
    above: html`<div class="spinner" aria-hidden="true"></div>`,
    content: html`<p>${leaving.lead(view.projectName, name)}</p>
      <p class="hint">${leaving.check(new URL(url).host)}</p>
      <div class="actions"><a class="button primary" href="${url}">${leaving.go(name)}</a></div>`,
  });
}

/** Shows that another request is connecting the account. */
export function connectingView(context: PageContext, view: ChosenView): Html {
  const { connecting } = context.texts;
  return documentOf(context, {
    heading: connecting.heading,
    parties: view,
    refresh: { seconds: REFRESH_SECONDS, url: context.home, noScriptOnly: true },
    data: watchOf(context, view),
    above: html`<div class="spinner" aria-hidden="true"></div>`,
    content: html`<p role="status">${connecting.lead(view.exchange.name)}</p>`,
  });
}
