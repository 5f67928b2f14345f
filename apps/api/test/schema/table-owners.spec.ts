import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '#platform/testing';
import { listTypeScript, MIGRATIONS, readMigratedTables } from './migrated-tables.js';

/** Libs that read a table of another lib in a statement, with the reason why they may. */
const exceptions: Record<string, Record<string, string>> = {
  deposit: {
    wallets: 'an address is stored only while its wallet is connected: one statement checks, locks and inserts',
  },
  transaction: {
    projects: 'a history is read with the mode of its project in one statement',
    wallets: 'a history is read with the state of its wallet in one statement',
  },
  webhook: { projects: 'the webhook endpoints of deleted projects are found and deleted in one statement' },
  wallet: { projects: 'wallets are compared with others of the same mode: the statement filters and limits by it' },
  withdrawal: {
    projects: 'a topic is looked up with its project in one statement',
    transactions: 'the list for operators shows withdrawals together with their transactions',
    wallets: 'tags, networks and restored wallets are looked up by the caller’s id of the wallet in one statement',
  },
};

interface Source {
  lib: string;
  path: string;
  text: string;
}

const readCode = (path: string): string =>
  readFileSync(join(projectRoot, path), 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '');

/** The code of all libs without tests and migrations. */
const sources: Source[] = listTypeScript('libs')
  .filter((path) => /^libs\/[^/]+\/src\/.*(?<!spec)\.ts$/.test(path))
  .filter((path) => !path.includes('/testing/') && !path.startsWith(MIGRATIONS))
  .map((path) => ({ lib: path.split('/')[1] ?? '', path, text: readCode(path) }));

const tables = readMigratedTables();

const writes = (table: string): RegExp =>
  new RegExp(`\\b(?:insert into|update|delete from) ${table}\\b|@Entity\\('${table}'\\)`);
const names = (table: string): RegExp => new RegExp(`\\b(?:from|join|into|update|using)\\s+(?:only\\s+)?${table}\\b`);

const libsThat = (pattern: RegExp): string[] => [
  ...new Set(sources.filter(({ text }) => pattern.test(text)).map(({ lib }) => lib)),
];

describe('a table', () => {
  it.each(tables)('%s is written by one lib at most', (table) => {
    expect(libsThat(writes(table)).length).toBeLessThan(2);
  });

  it.each(tables)(
    '%s is named only in the SQL of the lib that writes it, apart from the listed exceptions',
    (table) => {
      const [owner] = libsThat(writes(table));
      const foreign = sources
        .filter(({ lib, text }) => lib !== owner && names(table).test(text))
        .filter(({ lib }) => exceptions[lib]?.[table] === undefined);
      expect(foreign.map(({ path }) => path)).toEqual([]);
    },
  );
});

describe('sealed credentials', () => {
  it('are read only by the wallet lib', () => {
    expect(libsThat(/sealed->>?'/)).toEqual(['wallet']);
  });
});

describe('the exceptions for reads of a table of another lib', () => {
  it('all occur in the code', () => {
    const unused = Object.entries(exceptions).flatMap(([lib, byTable]) =>
      Object.keys(byTable).filter((table) => !libsThat(names(table)).includes(lib)),
    );
    expect(unused).toEqual([]);
  });
});
