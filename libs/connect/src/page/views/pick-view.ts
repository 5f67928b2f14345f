import { html, type Html } from '#platform/html';
import type { OfferedExchange } from '../../begin/choose-exchange.js';
import type { ConnectView } from '../../session/connect-view.js';
import { phoneOf, watchOf } from './choose-view.js';
import { cancelOf, documentOf, type PageContext } from './document.js';
import { problemNotice } from './problem-view.js';

/** Least number of exchanges for which the page offers a search. */
const SEARCH_FROM = 5;

/** The list of the exchanges that the person may choose. */
export function pickView(
  context: PageContext,
  view: ConnectView,
  offers: readonly OfferedExchange[],
  phoneCode: Html | null,
): Html {
  const { pick } = context.texts;
  return documentOf(context, {
    heading: pick.heading,
    parties: { ...view, exchange: null },
    above: problemNotice(context, view),
    data: watchOf(context, view),
    content: html`<p class="lead">${pick.lead(view.projectName)}</p>
      ${offers.length >= SEARCH_FROM ? searchOf(context) : ''}
      ${offers.length === 0 ? html`<p>${pick.none}</p>` : listOf(context, offers)}
      ${phoneCode === null ? '' : phoneOf(context, phoneCode)}`,
    below: cancelOf(context, view),
  });
}

/** Shows the search. It is hidden until the script runs, because only the script can search. */
function searchOf({ texts: { pick } }: PageContext): Html {
  return html`<div hidden data-search>
    <label for="search">${pick.search}</label>
    <input id="search" type="search" autocomplete="off" spellcheck="false" />
    <p class="hint" role="status" hidden data-none>${pick.noMatch}</p>
  </div>`;
}

function listOf({ home, assets, texts: { pick } }: PageContext, offers: readonly OfferedExchange[]): Html {
  const items = offers.map(
    ({ id, name }) =>
      html`<li data-name="${name.toLowerCase()} ${id}">
        <button name="exchange" value="${id}">
          <img class="mark" src="${assets}/logo/${id}.svg" alt="" width="36" height="36" />
          <span>${name}</span>
        </button>
      </li>`,
  );
  return html`<form method="post" action="${home}/exchange" aria-label="${pick.heading}">
    <ul class="exchanges">
      ${items}
    </ul>
  </form>`;
}
