import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '#platform/testing';
import { exchanges } from './exchanges.js';

/**
 * Files that may contain the name of an exchange: its own folder, the registry, tests, and the apps that prove,
 * measure, simulate or demonstrate certain exchanges.
 */
const MAY_NAME = [
  /^libs\/exchange\/src\/exchanges\//,
  /^libs\/exchange\/src\/registry\/exchanges\.ts$/,
  /(^|[.-])spec\.ts$/,
  /\/testing\//,
  /^apps\/[^/]+\/test\//,
  /^apps\/(prove|bench|sandbox-exchange|local)\//,
];

const files = ['libs', 'apps'].flatMap((folder) =>
  readdirSync(path.join(projectRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => path.relative(projectRoot, path.join(entry.parentPath, entry.name)))
    .filter((file) => !file.includes('node_modules') && !MAY_NAME.some((pattern) => pattern.test(file))),
);
const texts = new Map(files.map((file) => [file, readFileSync(path.join(projectRoot, file), 'utf8')]));

/** Ids that are also common words. For these, the test searches only for the quoted id. */
const WORDS: ReadonlySet<string> = new Set(['gate']);
const ids = Object.keys(exchanges).filter((id) => id !== 'sandbox');

describe('the source code', () => {
  it.each(ids)('names %s only in its folder, the registry, tests, and apps about certain exchanges', (id) => {
    const pattern = WORDS.has(id) ? new RegExp(`['"\`]${id}['"\`]`) : new RegExp(id, 'i');
    expect(files.length).toBeGreaterThan(500);
    expect([...texts].filter(([, text]) => pattern.test(text)).map(([file]) => file)).toEqual([]);
  });
});

describe('a declaration', () => {
  it.each(Object.entries(exchanges))('of %s has its public lists under the same id and address', (id, declaration) => {
    const lists = [declaration.pairs, declaration.tickers].filter((list) => list !== undefined);
    expect(lists.map((list) => list.id)).toEqual(lists.map(() => id));
    const address = declaration.liveUrl ?? null;
    expect(lists.map(({ liveUrl }) => liveUrl)).toEqual(lists.map(() => address));
  });
});
