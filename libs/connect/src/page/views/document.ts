import { html, type Html } from '#platform/html';
import type { ConnectView } from '../../session/connect-view.js';
import { clientScript, icon, initialOf, stylesheet } from '../assets/assets.js';
import type { Texts } from '../texts/texts.js';

/** The addresses of a page, and the language in which it is shown. */
export interface PageContext {
  /** Path of the assets, without a trailing slash. */
  assets: string;
  /** Path of the session's page. The paths of the page's forms begin with it. */
  home: string;
  texts: Texts;
}

export interface PageParts {
  heading: string;
  /** The content of the card, below the heading. */
  content: Html;
  /** Shown above the heading. */
  above?: Html;
  /** Shown below the card. */
  below?: Html;
  /**
   * Redirects the browser after this number of seconds. With `noScriptOnly`, only a browser without scripts is
   * redirected, because elsewhere the script polls.
   */
  refresh?: { seconds: number; url: string; noScriptOnly: boolean };
  /** Data attributes of the element `main`, which the page's script reads. */
  data?: Html;
  /** The session whose application and exchange the page names; absent = the page names neither. */
  parties?: ConnectView;
}

/** The frame of every page: head, logos of the application and the exchange, one card. */
export function documentOf(context: PageContext, page: PageParts): Html {
  const { heading, content, parties } = page;
  const { layout, language } = context.texts;
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="color-scheme" content="light dark" />
        <title>${layout.title(heading)}</title>
        <link rel="icon" href="${context.assets}/${icon.name}" />
        <link rel="stylesheet" href="${context.assets}/${stylesheet.name}" />
        ${themeOf(context, parties)}
        <script src="${context.assets}/${clientScript.name}" defer></script>
        ${refreshOf(page)}
      </head>
      <body>
        <a class="skip" href="#content">${layout.skip}</a>
        ${parties === undefined ? html`<header></header>` : marksOf(context, parties)}
        <main id="content" ${page.data ?? ''}>
          <div class="card">
            ${parties?.mode === 'test' ? html`<p class="badge">${layout.testMode}</p>` : ''} ${page.above ?? ''}
            <h1>${heading}</h1>
            ${content}
          </div>
          ${page.below ?? ''}
        </main>
        <footer>
          ${parties === undefined ? '' : expiryOf(context, parties)}
          <p>${layout.footer}</p>
        </footer>
      </body>
    </html>`;
}

/**
 * Links the stylesheet of the project's colour. It is a file, because the content security policy of the page forbids
 * inline styles.
 */
function themeOf({ assets }: PageContext, parties: ConnectView | undefined): Html {
  const color = parties?.theme.color ?? null;
  return color === null ? html`` : html`<link rel="stylesheet" href="${assets}/theme/${color.slice(1)}.css" />`;
}

function refreshOf({ refresh }: PageParts): Html {
  if (refresh === undefined) return html``;
  const meta = html`<meta http-equiv="refresh" content="${refresh.seconds};url=${refresh.url}" />`;
  return refresh.noScriptOnly ? html`<noscript>${meta}</noscript>` : meta;
}

/**
 * Shows the application, the exchange and the wallet id. Only the wallet id lets a person notice that the link was made
 * for another user.
 */
function marksOf(
  { assets, texts: { layout } }: PageContext,
  { projectName, theme, exchange, externalWalletId, state }: ConnectView,
): Html {
  return html`<header>
    <div class="pair" aria-hidden="true">
      ${
        theme.logoUrl === null
          ? html`<span class="mark">${initialOf(projectName)}</span>`
          : html`<img class="mark" src="${theme.logoUrl}" alt="" width="36" height="36" />`
      }
      ${
        exchange === null
          ? ''
          : html`<span class="link-line"></span>
              <img class="mark" src="${assets}/logo/${exchange.id}.svg" alt="" width="36" height="36" />`
      }
    </div>
    <div>
      <p>${exchange === null ? projectName : layout.between(projectName, exchange.name)}</p>
      ${state === 'failed' ? '' : html`<p class="hint">${layout.keptAs(externalWalletId)}</p>`}
    </div>
  </header>`;
}

function expiryOf({ texts: { layout } }: PageContext, { state, expiresAt }: ConnectView): Html {
  const isOver = state === 'connected' || state === 'failed';
  return isOver ? html`` : timeLine(layout.expires, expiresAt, '');
}

/**
 * Shows a sentence with a time of day. The server writes UTC, because it does not know the person's time zone. The
 * script converts the time.
 */
export function timeLine(sentence: (time: string) => string, moment: Date, className: string): Html {
  const iso = moment.toISOString();
  return html`<p class="${className}" data-time="${iso}" data-sentence="${sentence('{time}')}">
    ${sentence(`${iso.slice(11, 16)} UTC`)}
  </p>`;
}

export function formOf(action: string, button: Html): Html {
  return html`<form method="post" action="${action}">${button}</form>`;
}

/**
 * Shows the cancel button, which is on every page of a session that is still open. It promises a way back only where
 * the page knows one: the return address, or the window that opened the page.
 */
export function cancelOf({ home, texts: { layout } }: PageContext, view: ConnectView): Html {
  const { projectName, returnUrl, openerOrigin } = view;
  const hasWayBack = returnUrl !== null || openerOrigin !== null;
  return html`<form class="cancel" method="post" action="${home}/cancel">
    <button class="text">${hasWayBack ? layout.cancelAndReturn(projectName) : layout.cancel}</button>
  </form>`;
}

type SignKind = 'good' | 'bad' | 'wait';

const strokes: Readonly<Record<SignKind, Html>> = {
  good: html`<path d="M5 12.5l4.5 4.5L19 7.5" />`,
  bad: html`<path d="M7 7l10 10M17 7L7 17" />`,
  wait: html`<path d="M12 6.5v7M12 17.4v.1" />`,
};

/** The sign of a result. It is hidden from screen readers, because the heading already states the result. */
export function signOf(kind: SignKind): Html {
  return html`<div class="sign ${kind}" aria-hidden="true"><svg viewBox="0 0 24 24">${strokes[kind]}</svg></div>`;
}

/** Shows a code that a person can give to support. */
export function errorCode({ texts: { layout } }: PageContext, code: string): Html {
  return html`<p class="code">${layout.errorCode} <code>${code}</code></p>`;
}
