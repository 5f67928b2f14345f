import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadReadingCalls } from '../check/documented-forms.js';
import { readRecording, writeRecording } from '../check/recording.js';
import { exchanges, findExchange } from '../registry/exchanges.js';
import { contractSubjects } from './contract/contract-subjects.js';
import { replay } from './contract/replay.js';

/** Makes a recording of `cli exchanges check` a fixture of the contract suite, for `npm run adopt:recording`. */
const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: npm run adopt:recording <file>');
const recording = readRecording(file);
const { exchange: id, day } = recording;
const subjects = await contractSubjects(Object.values(exchanges));
const subject = subjects.find(({ declaration }) => declaration === findExchange(id));
if (subject === undefined) throw new Error(`there is no exchange ${id}`);
const problems = await replay(subject, recording, await loadReadingCalls(id));
for (const problem of problems) process.stderr.write(`The connector cannot read the recording yet: ${problem}\n`);
const folder = join('libs/exchange/src/exchanges', id, 'recordings');
mkdirSync(folder, { recursive: true });
const target = join(folder, `${day}.json`);
writeRecording(target, recording);
process.stdout.write(
  `${target}\nRun: npm run jest -- libs/exchange/src/exchanges/${id} --selectProjects unit -t EX-69\n`,
);
