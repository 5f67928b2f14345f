import { html, Html } from '#platform/html';
import { style } from '../page/style.js';

const more = `
main.narrow { max-width: 30rem; padding-top: 2rem; }
.card + p { margin-top: 1rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem 1.2rem 1.2rem; margin-top: 1rem; }
fieldset { border: 0; margin: 1rem 0 0; padding: 0; min-width: 0; }
legend { font-weight: 600; padding: 0; margin-bottom: .4rem; }
label.choice { display: flex; gap: .6rem; align-items: baseline; padding: .45rem 0; overflow-wrap: anywhere; }
label.choice input { width: 1.1rem; height: 1.1rem; flex: none; transform: translateY(.2rem); accent-color: var(--accent); }
label.field { display: block; margin-top: 1rem; font-weight: 600; }
label.field input { display: block; width: 100%; margin-top: .3rem; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: .4rem; padding: .5rem .6rem; }
input:focus-visible, a:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px; }
a { color: var(--accent); overflow-wrap: anywhere; }
.buttons { display: flex; flex-wrap: wrap; gap: .6rem; margin-top: 1.2rem; }
.buttons button { flex: 1 1 8rem; }
button.quiet { background: transparent; color: var(--ink); border: 1px solid var(--line); }
.wrong { color: var(--bad); font-weight: 600; }
`;

/** Allows only content of the page itself, and forms that post to the sandbox exchange. */
export const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

interface LayoutInput {
  title: string;
  body: Html;
  /** The browser goes to this URL at once. */
  redirectsTo?: string;
}

export function layout({ title, body, redirectsTo }: LayoutInput): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${redirectsTo === undefined ? html`` : html`<meta http-equiv="refresh" content="0; url=${redirectsTo}" />`}
        <style>
          ${new Html(style + more)}
        </style>
      </head>
      <body>
        <main class="narrow">
          <h1>${title}</h1>
          ${body}
          <p class="faint">This is the sandbox exchange. It holds no real money.</p>
        </main>
      </body>
    </html>`.text;
}
