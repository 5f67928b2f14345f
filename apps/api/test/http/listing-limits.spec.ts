import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '#platform/testing';

const CONSTANT = /^(?:export )?const (PAGES_MAX|REQUESTS_MAX|ROUNDS_MAX|LONG_LIST_PAGES|SUB_ACCOUNTS_MAX) = (\d+);/gm;
const LIBS = [
  'libs/exchange/src',
  'libs/transaction/src',
  'libs/withdrawal/src',
  'libs/trading/src',
  'libs/wallet/src',
];

const textOf = (file: string): string => readFileSync(path.join(projectRoot, file), 'utf8');

/** The constants that limit how much of an exchange's list is read, as "file NAME value". */
const constants = LIBS.flatMap((lib) =>
  readdirSync(path.join(projectRoot, lib), { encoding: 'utf8', recursive: true })
    .filter((file) => file.endsWith('.ts') && !file.includes('testing/') && !file.includes('spec.ts'))
    .flatMap((file) =>
      [...textOf(path.join(lib, file)).matchAll(CONSTANT)].map(([, name, value]) => `${lib}/${file} ${name} ${value}`),
    ),
);

describe('docs/limits.md', () => {
  const [, section = ''] = textOf('docs/limits.md').split('## Lists of exchanges');
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| '));

  it('states for each limit on the lists of exchanges what happens at the limit', () => {
    const documented = rows.flatMap((row) => {
      const [, , limit = '', files = '', outcome = ''] = row.split(/ ?\| ?/);
      const [, name, value] = /`([A-Z_]+)` (\d+)/.exec(limit) ?? [];
      if (name === undefined || outcome === '') return [];
      return [...files.matchAll(/`([^`]+)`/g)].map(([, file]) => `${file} ${name} ${value}`);
    });
    expect(documented.sort()).toEqual(constants.sort());
  });
});
