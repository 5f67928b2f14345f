import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { serviceIcon } from '#connect';
import { PreparedResponse } from '#platform/http';
import { errorCodesPage } from './error-codes-page.js';

const require = createRequire(import.meta.url);

/** A button with the classes of Swagger UI's buttons, so that it looks like them. */
const DEMO_BUTTON = `<div class="swagger-ui"><p class="wrapper" style="padding-top: 20px">
      <button class="btn authorize" id="demo">Fill in the demo credentials</button>
    </p></div>`;

const pageWith = (button: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Causeway API</title>
    <link rel="stylesheet" href="./docs/swagger-ui.css" />
    <link rel="stylesheet" href="./docs/index.css" />
    <link rel="icon" type="image/svg+xml" href="./docs/icon.svg" />
  </head>
  <body>
    ${button}
    <div id="swagger-ui"></div>
    <script src="./docs/swagger-ui-bundle.js"></script>
    <script src="./docs/swagger-initializer.js"></script>
  </body>
</html>
`;

/**
 * Fills in a new `idem` at each visit, the same for every operation. With the fixed example of the document, a second
 * try would get the first link or 409, and anyone could listen to the outcome.
 */
const NEW_IDEM = `const bytes = crypto.getRandomValues(new Uint8Array(16));
const idem = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const withNewIdem = (document) =>
  JSON.parse(JSON.stringify(document), (_name, value) =>
    value?.in === 'query' && value.name === 'idem' ? { ...value, schema: { ...value.schema, example: idem } } : value,
  );
const updateJsonSpec = (update) => (document) => update(withNewIdem(document));
const newIdem = () => ({ statePlugins: { spec: { wrapActions: { updateJsonSpec } } } });
`;

/**
 * `persistAuthorization` is off, because everyone who uses the browser later could read the stored credentials.
 * `validatorUrl` is null, because Swagger UI's badge would send the document to another server.
 */
const INITIALIZER = `${NEW_IDEM}window.ui = SwaggerUIBundle({
  url: './openapi.json',
  plugins: [newIdem],
  dom_id: '#swagger-ui',
  deepLinking: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  validatorUrl: null,
});
`;

/**
 * Fills in the demo credentials. The members of `demo.json` have the names of the security schemes. Operations without
 * credentials, such as getOutcome, take the organization as a header parameter with the same name as the scheme.
 */
const FILL_IN = `
const button = document.getElementById('demo');
button.addEventListener('click', async () => {
  const response = await fetch('./docs/demo.json').catch(() => null);
  if (!response?.ok) {
    button.textContent = 'The demo is not ready: try again in some seconds';
    return;
  }
  const operations = window.ui.specSelectors.operations().toJS();
  for (const [name, value] of Object.entries(await response.json())) {
    window.ui.preauthorizeApiKey(name, value);
    for (const { path, method } of operations) window.ui.specActions.changeParam([path, method], name, 'header', value);
  }
  button.textContent = 'The demo credentials are filled in';
});
`;

const SCRIPT = 'text/javascript; charset=utf-8';
const PAGE = 'text/html; charset=utf-8';
const TYPES: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'index.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': SCRIPT,
};

export interface DocsFiles {
  page: PreparedResponse;
  /** The files that the page loads, and the page of the error codes, by name. */
  assets: ReadonlyMap<string, PreparedResponse>;
}

/**
 * Reads Swagger UI into memory. If each request opened the files, a client that does not read its response would keep a
 * file open.
 */
export function readDocsFiles({ hasDemo }: { hasDemo: boolean }): DocsFiles {
  const folder = dirname(require.resolve('swagger-ui-dist/package.json'));
  const assets = new Map(
    Object.entries(TYPES).map(([name, type]) => [name, PreparedResponse.file(readFileSync(join(folder, name)), type)]),
  );
  const file = (text: string, type: string): PreparedResponse => PreparedResponse.file(Buffer.from(text), type);
  assets.set('swagger-initializer.js', file(hasDemo ? INITIALIZER + FILL_IN : INITIALIZER, SCRIPT));
  assets.set('icon.svg', file(serviceIcon.text, serviceIcon.type));
  assets.set('errors', file(errorCodesPage(), PAGE));
  return { page: file(pageWith(hasDemo ? DEMO_BUTTON : ''), PAGE), assets };
}
