import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PreparedResponse } from '#platform/http';

const require = createRequire(import.meta.url);

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Causeway API</title>
    <link rel="stylesheet" href="./docs/swagger-ui.css" />
    <link rel="stylesheet" href="./docs/index.css" />
    <link rel="icon" type="image/png" href="./docs/favicon-32x32.png" sizes="32x32" />
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="./docs/swagger-ui-bundle.js"></script>
    <script src="./docs/swagger-initializer.js"></script>
  </body>
</html>
`;

/** `validatorUrl`: the badge of Swagger UI would show the document to a server elsewhere. */
const INITIALIZER = `window.ui = SwaggerUIBundle({
  url: './openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  persistAuthorization: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  validatorUrl: null,
});
`;

const TYPES: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'index.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

export interface DocsFiles {
  page: PreparedResponse;
  /** The files that the page loads, by name. */
  assets: ReadonlyMap<string, PreparedResponse>;
}

/** Swagger UI, read into memory: a file that were read for each request would stay open when its client does not read. */
export function readDocsFiles(): DocsFiles {
  const folder = dirname(require.resolve('swagger-ui-dist/package.json'));
  const assets = new Map(
    Object.entries(TYPES).map(([name, type]) => [name, PreparedResponse.file(readFileSync(join(folder, name)), type)]),
  );
  assets.set(
    'swagger-initializer.js',
    PreparedResponse.file(Buffer.from(INITIALIZER), 'text/javascript; charset=utf-8'),
  );
  return { page: PreparedResponse.file(Buffer.from(PAGE), 'text/html; charset=utf-8'), assets };
}
