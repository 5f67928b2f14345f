import { html, type Html } from '#platform/html';
import { CANCELLED, isOwnDecision, type ConnectView, type SessionError } from '../session/connect-view.js';
import { errorCode } from './document.js';
import { problems } from './texts.js';

const byCode: Readonly<Record<string, (exchange: string) => string>> = problems.byCode;

/** The reason of a failed attempt in plain words. */
export function problemText({ exchange }: ConnectView, { type, result }: SessionError): string {
  const isCancelled = result?.['reason'] === CANCELLED;
  const text = isCancelled ? problems.cancelled : (byCode[type] ?? problems.any)(exchange.name);
  const keyName = result?.keyName;
  return typeof keyName === 'string' ? `${text} ${problems.keyLeft(exchange.name, keyName)}` : text;
}

/** Notice of a failed attempt that may be followed by another. */
export function problemNotice(view: ConnectView): Html {
  if (view.error === null) return html``;
  if (isOwnDecision(view.error)) {
    return html`<div class="notice wait" id="summary" role="status" tabindex="-1">
      <p>${problemText(view, view.error)}</p>
    </div>`;
  }
  return html`<div class="notice" id="summary" role="alert" tabindex="-1">
    <h2>${problems.heading}</h2>
    <p>${problemText(view, view.error)}</p>
    <p>${problems.attemptsLeft(view.attemptsLeft)}</p>
    ${errorCode(view.error.type)}
  </div>`;
}
