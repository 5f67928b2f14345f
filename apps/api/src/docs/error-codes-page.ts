import { errorCodes, type ErrorCodeInfo } from '#platform/errors';
import { Html, html } from '#platform/html';

const STYLE = new Html(`<style>
      :root { color-scheme: light dark; }
      body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 0 auto; padding: 1rem; }
      h2 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
      section { padding: 0.5rem 0.75rem; }
      section:target { outline: 2px solid; border-radius: 0.25rem; }
      p { margin: 0.25rem 0; overflow-wrap: anywhere; }
    </style>`);

/** The page to which the member `type` of problem details leads: every error code, its statuses and its meaning. */
export function errorCodesPage(): string {
  const sections = Object.entries<ErrorCodeInfo>(errorCodes).map(([code, info]) => section(code, info));
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Error codes of Causeway</title>
        ${STYLE}
      </head>
      <body>
        <h1>Error codes</h1>
        <p>Clients decide by the code and the status, never by the text of an error.</p>
        ${sections}
      </body>
    </html> `.text;
}

function section(code: string, { status, otherStatuses = [], when }: ErrorCodeInfo): Html {
  const statuses = [status, ...otherStatuses].join(', ');
  return html`<section id="${code}">
    <h2>${code} (${statuses})</h2>
    <p>${withCode(when)}</p>
  </section>`;
}

/** Shows the texts between backticks as code. */
function withCode(text: string): Html[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}
