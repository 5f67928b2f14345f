import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '#platform/testing';
import { folderTable, folderTests, testsOf } from './folder-tests.js';

const filesIn = (folder: string): string[] =>
  readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`);
const tests = [...filesIn('libs'), ...filesIn('apps')].filter((file) => /\.(int-|e2e-|proof-)?spec\.ts$/.test(file));

describe('the tests that are named for a folder', () => {
  it('are named for every lib', () => {
    for (const lib of readdirSync(path.join(projectRoot, 'libs')))
      expect(folderTests.flatMap(({ folders }) => folders)).toContain(`libs/${lib}`);
  });

  it('exist, as do the folders', () => {
    const paths = folderTests.flatMap(({ folders, others }) => [...folders.map((folder) => `${folder}/`), ...others]);
    expect(paths.filter((each) => !tests.some((file) => file.startsWith(each)))).toEqual([]);
  });

  it('are those of the longest folder that contains the change, with those beside it and those of the schema', () => {
    const [own, ...others] = testsOf('libs/platform/src/crypto/vault.ts');
    expect(own).toBe('libs/platform/src/crypto/');
    expect(others).toEqual(expect.arrayContaining(['libs/wallet/src/credentials/', 'apps/api/test/schema/']));
    expect(testsOf('libs/platform')[0]).toBe('libs/platform/');
  });

  it('are only those of the exchange and of all exchanges together when one exchange changes', () => {
    const okx = 'libs/exchange/src/exchanges/okx';
    expect(testsOf(`${okx}/okx.ts`).slice(0, 2)).toEqual([`${okx}/`, 'libs/exchange/src/registry/']);
  });

  it('cannot be named for a folder outside of the libs', () => {
    expect(() => testsOf('libs/walletable')).toThrow('no tests are named for libs/walletable; use one of libs/money,');
  });

  it('are listed in CONTRIBUTING.md', () => {
    const guide = readFileSync(path.join(projectRoot, 'CONTRIBUTING.md'), 'utf8');
    expect(guide).toContain(folderTable());
  });
});
