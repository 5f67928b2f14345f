import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exchanges } from '../registry/exchanges.js';
import { collectForms } from './contract/collect-forms.js';
import { contractSubjects } from './contract/contract-subjects.js';

/** Writes the documented forms of all reading calls, for `npm run docs`. */
const FILE = 'libs/exchange/src/check/documented-forms.json';

const real = Object.values(exchanges).filter(({ spec }) => !spec.sandboxOnly);
const forms = await collectForms(await contractSubjects(real));
writeFileSync(join(process.argv[2] ?? '', FILE), `${JSON.stringify(forms, null, 1)}\n`);
