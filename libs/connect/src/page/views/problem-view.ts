import { html, type Html } from '#platform/html';
import { CANCELLED, isOwnDecision, type ConnectView, type SessionError } from '../../session/connect-view.js';
import { errorCode } from './document.js';
import type { PageContext } from './document.js';

type ProblemTexts = Readonly<Partial<Record<string, (exchange: string) => string>>>;

/** The reason of a failed attempt in plain words. */
export function problemText(
  { texts: { problems } }: PageContext,
  { exchange }: ConnectView,
  { type, result }: SessionError,
): string {
  const byCode: ProblemTexts = problems.byCode;
  const byReason: ProblemTexts = problems.byReason;
  const reason = result?.['reason'];
  const name = exchange?.name ?? problems.anyExchange;
  const known = (typeof reason === 'string' ? byReason[reason] : undefined) ?? byCode[type] ?? problems.any;
  const text = reason === CANCELLED ? problems.cancelled : known(name);
  const keyName = result?.keyName;
  return typeof keyName === 'string' ? `${text} ${problems.keyLeft(name, keyName)}` : text;
}

/** Shows why the last attempt failed and how many more are possible. */
export function problemNotice(context: PageContext, view: ConnectView): Html {
  const { problems } = context.texts;
  if (view.error === null) return html``;
  if (isOwnDecision(view.error)) {
    return html`<div class="notice wait" id="summary" role="status" tabindex="-1">
      <p>${problemText(context, view, view.error)}</p>
    </div>`;
  }
  return html`<div class="notice" id="summary" role="alert" tabindex="-1">
    <h2>${problems.heading}</h2>
    <p>${problemText(context, view, view.error)}</p>
    <p>${problems.attemptsLeft(view.attemptsLeft)}</p>
    ${errorCode(context, view.error.type)}
  </div>`;
}
