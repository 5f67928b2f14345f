import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { operationsOf, type ApiDocument } from './api-document.js';
import { collection } from './collection.js';
import { operationsModule } from './client-operations.js';
import { typesModule } from './client-types.js';
import { llmsText } from './llms-text.js';

/** The folder with openapi.json, below which the generated files are written. Default: the current folder. */
const root = process.argv[2] ?? '.';
const document = JSON.parse(readFileSync(path.join(root, 'openapi.json'), 'utf8')) as ApiDocument;
const operations = operationsOf(document);

write('clients/typescript/src/generated/types.ts', await typesModule(document, operations));
write('clients/typescript/src/generated/operations.ts', operationsModule(document, operations));
write('docs/causeway.postman_collection.json', `${JSON.stringify(collection(document, operations), null, 2)}\n`);
write('llms.txt', llmsText(document, operations, root));

function write(file: string, content: string): void {
  const target = path.join(root, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, content);
}
