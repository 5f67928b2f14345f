import { html, Html } from '#platform/html';
import type { Overview } from './overview.js';
import { script, style } from './style.js';

// The Content-Security-Policy contains the hash of exactly the text `script`, so nothing may be added around it.
const SCRIPT = new Html(`<script>${script}</script>`);
const EMPTY = html`<li class="faint">Nothing yet.</li>`;

/** Renders the page. `html` escapes every value. */
export function pageOf(overview: Overview): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Sandbox exchange</title>
        <noscript><meta http-equiv="refresh" content="5" /></noscript>
        <style>
          ${new Html(style)}
        </style>
      </head>
      <body>
        <header>
          <h1>Sandbox exchange</h1>
          <p class="faint">An exchange without real money: the codes that it sends, and its newest records.</p>
          ${searchForm(overview)}
        </header>
        <main>
          ${faceChecks(overview)}
          <div class="columns">
            <section>${authenticators(overview)}</section>
            <section>${inbox(overview)}</section>
          </div>
          <div class="columns">
            <section>${withdrawals(overview)}</section>
            <section>${deposits(overview)}</section>
          </div>
          ${orders(overview)} ${prices(overview)} ${accounts(overview)}
        </main>
        ${SCRIPT}
      </body>
    </html>`.text;
}

function searchForm({ search }: Overview): Html {
  return html`<form class="search" role="search">
    <label
      >Account <input type="search" name="q" value="${search}" placeholder="name or id" autocomplete="off"
    /></label>
    <button>Find</button>
    ${search === '' ? html`` : html`<a href="/">Show all accounts</a>`}
  </form>`;
}

function faceChecks({ faces: waiting }: Overview): Html {
  if (waiting.length === 0) return html``;
  const rows = waiting.map(
    ({ accountId, account, challengeId, reference }) =>
      html`<li>
        <form class="row" method="post" action="/face">
          <input type="hidden" name="accountId" value="${accountId}" />
          <input type="hidden" name="challengeId" value="${challengeId ?? ''}" />
          <span>
            ${account}
            <span class="faint">${reference === null ? 'its next withdrawal' : `withdrawal ${reference}`}</span>
          </span>
          <button>Confirm the face</button>
        </form>
      </li>`,
  );
  return html`<h2>Face checks to confirm</h2>
    <ul>
      ${rows}
    </ul>`;
}

function authenticators({ accounts: all, now }: Overview): Html {
  const secondsLeft = 30 - (Math.floor(now.getTime() / 1000) % 30);
  const rows = all.flatMap(({ name, totp }) =>
    totp === null ? [] : [html`<li class="row"><span>${name}</span><span class="code">${totp}</span></li>`],
  );
  return html`<h2>Authenticator codes <span class="faint">new codes in ${secondsLeft} s</span></h2>
    <ul>
      ${rows.length === 0 ? EMPTY : rows}
    </ul>`;
}

function inbox({ messages }: Overview): Html {
  const rows = messages.map(
    ({ kind, to, code, at, account }) =>
      html`<li>
        <div class="row">
          <span>${kind === 'email' ? 'Email' : 'SMS'} to ${to}</span><span class="code">${code}</span>
        </div>
        <div class="row faint"><span>${account}</span>${time(at)}</div>
      </li>`,
  );
  return html`<h2>Inbox</h2>
    <ul>
      ${rows.length === 0 ? EMPTY : rows}
    </ul>`;
}

function withdrawals({ withdrawals: newest }: Overview): Html {
  const rows = newest.map(
    ({ account, asset, status, withdrawal: { amount, fee, network, address, memo, requestedAt, partner } }) =>
      html`<li>
        <div class="row"><span class="amount">${amount} ${asset}</span><span class="${status}">${status}</span></div>
        <div>${address}${memo === null ? '' : ` (tag ${memo})`}</div>
        <div class="row faint">
          <span>${network}, fee ${fee}, ${account}${partner === undefined ? '' : `, ${partner.reference}`}</span>
          ${time(requestedAt)}
        </div>
      </li>`,
  );
  return html`<h2>Newest withdrawals</h2>
    <ul>
      ${rows.length === 0 ? EMPTY : rows}
    </ul>`;
}

function deposits({ deposits: newest }: Overview): Html {
  const rows = newest.map(
    ({ account, asset, status, deposit: { amount, network, address, receivedAt } }) =>
      html`<li>
        <div class="row"><span class="amount">${amount} ${asset}</span><span class="${status}">${status}</span></div>
        <div>${address}</div>
        <div class="row faint"><span>${network}, ${account}</span>${time(receivedAt)}</div>
      </li>`,
  );
  return html`<h2>Newest deposits</h2>
    <ul>
      ${rows.length === 0 ? EMPTY : rows}
    </ul>`;
}

function orders({ orders: open }: Overview): Html {
  const rows = open.map(
    ({ account, description, order: { id, status, executedVolume, volume, openedAt } }) =>
      html`<li>
        <div class="row"><span class="amount">${description}</span><span class="requested">${status}</span></div>
        <div class="row faint">
          <span>${id}, ${executedVolume} of ${volume} executed, ${account}</span>
          ${time(openedAt)}
        </div>
      </li>`,
  );
  return html`<h2>Open orders <span class="faint">filled when the price reaches their limit</span></h2>
    <ul>
      ${rows.length === 0 ? EMPTY : rows}
    </ul>`;
}

function prices({ prices: all }: Overview): Html {
  const shown = all.map(
    ({ asset, pair, price }) =>
      html`<form class="price" method="post" action="/price">
        <input type="hidden" name="pair" value="${pair}" />
        <label>
          <strong>${asset}</strong>
          <input name="price" value="${price}" size="10" inputmode="decimal" autocomplete="off" />
        </label>
        <button>Move</button>
      </form>`,
  );
  return html`<h2>Prices in dollars <span class="faint">the same at all exchanges of this sandbox</span></h2>
    <ul>
      <li class="prices">${shown}</li>
    </ul>`;
}

function accounts({ accounts: newest, accountsMore }: Overview): Html {
  const rows = newest.map(
    ({ id, name, kind, balances }) =>
      html`<li>
        <div class="row"><strong>${name}</strong><span class="faint">${kind}</span></div>
        <div class="balances">${balances.map(({ asset, total }) => html`<span>${total} ${asset}</span>`)}</div>
        <div class="faint">${id}</div>
      </li>`,
  );
  return html`<h2>Accounts</h2>
    <ul>
      ${rows.length === 0 ? EMPTY : rows}
    </ul>
    ${accountsMore === 0 ? html`` : html`<p class="faint">${accountsMore} older accounts are not listed: find them by name or id at the top</p>`}`;
}

/** Formats a time as `2026-11-20 12:00:00 UTC`. */
function time(at: number): Html {
  const text = new Date(at).toISOString();
  return html`<time datetime="${text}">${text.slice(0, 19).replace('T', ' ')} UTC</time>`;
}
