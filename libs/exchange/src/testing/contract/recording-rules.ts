import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '#platform/testing';
import { loadReadingCalls } from '../../check/documented-forms.js';
import { readRecording } from '../../check/recording.js';
import { findExchange } from '../../registry/exchanges.js';
import { collectForms, recordDocumented } from './collect-forms.js';
import { replay } from './replay.js';
import type { Rule } from './rule.js';

/** The recordings of real accounts that `npm run adopt:recording` has adopted, of one exchange. */
function adoptedRecordings(exchange: string): string[] {
  const folder = path.join(projectRoot, 'libs/exchange/src/exchanges', exchange, 'recordings');
  return existsSync(folder) ? readdirSync(folder).map((file) => path.join(folder, file)) : [];
}

const readable: Rule = {
  id: 'EX-69',
  title: 'every redacted recording of an account is read as the responses that it was made of',
  checks: (subject) => {
    const { id } = subject.declaration.spec;
    return [
      {
        name: 'a recording of the documented responses',
        run: async () => {
          const forms = (await collectForms([subject]))[id];
          if (forms === undefined) throw new Error(`${id} has no reading calls`);
          expect(await replay(subject, await recordDocumented(subject, forms), forms)).toEqual([]);
        },
      },
      // A subject may be a connector that uses only one of the exchange's APIs.
      ...(findExchange(id) === subject.declaration ? adoptedRecordings(id) : []).map((file) => ({
        name: path.basename(file),
        run: async () => expect(await replay(subject, readRecording(file), await loadReadingCalls(id))).toEqual([]),
      })),
    ];
  },
};

export const recordingRules: readonly Rule[] = [readable];
