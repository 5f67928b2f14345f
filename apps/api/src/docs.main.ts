import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationDocument } from './configuration-doc.js';
import { errorsDocument } from './errors-doc.js';
import { exchangesDocument } from './exchanges-doc.js';

const directory = process.argv[2] ?? 'docs';
mkdirSync(directory, { recursive: true });
writeFileSync(join(directory, 'errors.md'), errorsDocument());
writeFileSync(join(directory, 'exchanges.md'), exchangesDocument());
writeFileSync(join(directory, 'configuration.md'), configurationDocument());
