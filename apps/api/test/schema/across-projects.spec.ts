import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '#platform/testing';
import { listTypeScript } from './migrated-tables.js';

/** The files with statements that read the rows of all projects under the role of the API, with number and reason. */
const acrossAll: Record<string, readonly [statements: number, reason: string]> = {
  'libs/platform/src/events/topic-messages.ts': [1, 'listeners need no API key; they know the organization and the topic'],
  'libs/platform/src/health/check-vault-keys.ts': [1, 'a process compares its keys with stored records of all projects'],
  'libs/connect/src/projects/connect-projects.service.ts': [1, 'a preflight names no project, only the origin of its page'],
  'libs/connect/src/session/session-store.ts': [1, 'the link of a session is its secret; the session names the project'],
  'libs/connect/src/listen/read-outcome.ts': [1, 'the id of a session is unique in its organization'],
  'libs/connect/src/listen/existing-topics.ts': [1, 'one statement looks up the topics of all listeners'],
  'libs/withdrawal/src/quote/quotes.ts': [1, 'the ids of all quotes are reserved as topics'],
  'libs/withdrawal/src/withdrawals/withdrawal-store.ts': [2, 'wallets of two projects may be one account'],
  'libs/withdrawal/src/refusals/compare-refusals.ts': [2, 'wallets of two projects may be one account'],
}; // prettier-ignore

/** The files in which work acts for a project that no API key has named. */
const forOne: Record<string, readonly [places: number, reason: string]> = {
  'libs/access/src/guard/access.guard.ts': [3, 'the project of a verified key, of a registered page, and of the admin'],
  'libs/access/src/keys/last-use.ts': [1, 'a WebSocket is served without the load of a request'],
  'libs/connect/src/projects/connect-projects.service.ts': [1, 'one statement checks the project that a page claims'],
  'libs/connect/src/session/session-store.ts': [1, 'a request with the link of a session acts for its project'],
  'libs/withdrawal/src/refusals/compare-refusals.ts': [1, 'the record of an account may be of another project'],
};

const sources = listTypeScript('libs')
  .concat(listTypeScript('apps/api/src'))
  .filter((path) => !/spec\.ts$|\/testing\//.test(path) && !path.endsWith('database/project-scope.ts'))
  .map((path) => ({ path, text: readFileSync(join(projectRoot, path), 'utf8') }));

function countCalls(name: RegExp): Record<string, number> {
  const counts = sources.map(({ path, text }) => [path, [...text.matchAll(name)].length] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

const numbersOf = (listed: Record<string, readonly [number, string]>): Record<string, number> =>
  Object.fromEntries(Object.entries(listed).map(([file, [count]]) => [file, count]));

describe('a statement for all projects', () => {
  it('is in the list of this test, with its reason', () => {
    expect(countCalls(/\bacrossProjects\(/g)).toEqual(numbersOf(acrossAll));
  });
});

describe('a change of the project of a request', () => {
  it('is in the list of this test, with its reason', () => {
    expect(countCalls(/(?<!function )\b(?:actFor|runForProject)\(/g)).toEqual(numbersOf(forOne));
  });
});
